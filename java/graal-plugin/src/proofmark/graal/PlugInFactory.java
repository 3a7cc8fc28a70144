package proofmark.graal;

import jdk.graal.compiler.core.Instrumentation;
import jdk.graal.compiler.hotspot.CommunityCompilerConfigurationFactory;
import jdk.graal.compiler.hotspot.CompilerConfigurationFactory;
import jdk.graal.compiler.hotspot.DefaultInstrumentation;
import jdk.graal.compiler.options.OptionValues;
import jdk.graal.compiler.phases.tiers.CompilerConfiguration;

/**
 * Entry point for Graal: the compiler configuration {@code proofmark}, chosen with
 * {@code -Djdk.graal.CompilerConfiguration=proofmark}. It is the community configuration with one
 * more phase at the very end.
 */
public final class PlugInFactory extends CompilerConfigurationFactory {
    /** Below every priority of Graal's own, so that it is active only when it is named. */
    private static final int PRIORITY = 2;

    public PlugInFactory() {
        super("proofmark", "Graal community with Proofmark's probes", PRIORITY);
    }

    @Override
    public CompilerConfiguration createCompilerConfiguration() {
        return new PlugInConfiguration();
    }

    @Override
    public BackendMap createBackendMap() {
        return new DefaultBackendMap(CommunityCompilerConfigurationFactory.NAME);
    }

    @Override
    public Instrumentation createInstrumentation(OptionValues options) {
        return new DefaultInstrumentation();
    }
}
