package proofmark.graal;

import jdk.graal.compiler.code.CompilationResult;
import jdk.graal.compiler.core.target.Backend;
import jdk.graal.compiler.debug.DebugContext;
import jdk.graal.compiler.hotspot.HotSpotBackend;
import jdk.graal.compiler.hotspot.HotSpotCompilationIdentifier;
import jdk.graal.compiler.hotspot.HotSpotGraalCompiler;
import jdk.graal.compiler.hotspot.HotSpotGraalRuntimeProvider;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.spi.ProfileProvider;
import jdk.graal.compiler.options.OptionValues;
import jdk.graal.compiler.phases.tiers.Suites;
import jdk.vm.ci.code.InstalledCode;
import jdk.vm.ci.hotspot.HotSpotCompilationRequest;
import jdk.vm.ci.hotspot.HotSpotInstalledCode;
import jdk.vm.ci.hotspot.HotSpotJVMCIRuntime;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;
import jdk.vm.ci.meta.ProfilingInfo;
import jdk.vm.ci.runtime.JVMCICompiler;

import proofmark.graal.events.Plan;
import proofmark.graal.events.Plans;

/**
 * Compiles and installs methods in the calling thread, as the compiler threads of the VM would.
 * Compiling by hand (rather than with Graal's {@code CompilationTask}) is what allows a profile of
 * our own and code that is kept and installed again at other addresses.
 */
final class Recompiler {
    private final HotSpotGraalCompiler compiler;
    private final HotSpotGraalRuntimeProvider runtime;
    private final HotSpotBackend backend;
    private final OptionValues options;

    Recompiler() {
        if (!(HotSpotJVMCIRuntime.runtime().getCompiler() instanceof HotSpotGraalCompiler graal)) {
            throw new IllegalStateException("this JVM does not compile with Graal");
        }
        compiler = graal;
        runtime = graal.getGraalRuntime();
        backend = runtime.getHostBackend();
        options = runtime.getOptions();
        backend.addCodeInstallationTask(new Backend.CodeInstallationTaskFactory() {
            @Override
            public Backend.CodeInstallationTask create() {
                return new Backend.CodeInstallationTask() {
                    @Override
                    public void postProcess(CompilationResult result, InstalledCode code) {
                        Tables.installed(result.getCompilationId(), code, result.getTargetCodeSize());
                    }
                };
            }
        });
    }

    /** Compiles without installing. */
    Compiled compile(UnitState unit, int code, Insertion insertion) {
        return compile(unit, code, insertion, Plan.NONE);
    }

    /** Compiles code that counts events, without installing. */
    Compiled compile(UnitState unit, int code, Insertion insertion, Plan plan) {
        Tables.insert(unit.name, insertion);
        Plans.own(plan);
        ProfilingInfo info = unit.method.getProfilingInfo(true, false);
        int size = info.getCompilerIRSize(StructuredGraph.class);
        try {
            Output output = compile(unit.method, unit.profile, insertion.shift());
            return new Compiled(code, unit, output.result, output.record);
        } finally {
            Plans.own(null);
            if (plan != Plan.NONE) {
                // What counts must not make callers inline less.
                info.setCompilerIRSize(StructuredGraph.class, size);
            }
        }
    }

    /** The result and what the insertion phase noted about it. */
    record Output(CompilationResult result, CodeRecord record) {
    }

    Output compile(HotSpotResolvedJavaMethod method, ProfileProvider profile, int shift) {
        HotSpotCompilationRequest request = request(method);
        HotSpotCompilationIdentifier id = new HotSpotCompilationIdentifier(request);
        Callers.enter();
        try (DebugContext debug = runtime.openDebugContext(options, id, method, compiler.getDebugHandlersFactories(), DebugContext.getDefaultLogStream());
                DebugContext.Activation active = debug.activate()) {
            StructuredGraph graph = compiler.createGraph(method, JVMCICompiler.INVOCATION_ENTRY_BCI, profile, id, options, debug);
            Suites suites = backend.getSuites().getDefaultSuites(options, backend.getTarget().arch);
            CompilationResult result = compiler.compileHelper(new ShiftedCode(shift), new CompilationResult(id), graph, false, false, false, suites,
                    debug.getOptions());
            CodeRecord record = Tables.take(id);
            if (record == null) {
                throw new IllegalStateException("Graal compiled " + Names.method(method) + " without Proofmark's phase");
            }
            record.debug(DebugInformation.of(result, backend.getProviders().getCodeCache().shouldDebugNonSafepoints()));
            return new Output(result, record);
        } finally {
            Callers.leave();
        }
    }

    /** Makes the code the method's own, at an address that the code cache chooses. */
    HotSpotInstalledCode install(Compiled compiled) {
        UnitState unit = compiled.unit();
        Tables.insert(unit.name, compiled.record().insertion);
        HotSpotCompilationRequest request = request(unit.method);
        HotSpotCompilationIdentifier id = new HotSpotCompilationIdentifier(request);
        try (DebugContext debug = runtime.openDebugContext(options, id, unit.method, compiler.getDebugHandlersFactories(), DebugContext.getDefaultLogStream())) {
            InstalledCode code = backend.createInstalledCode(debug, unit.method, request, compiled.result(), null, true);
            unit.installed = code;
            unit.current = compiled;
            return (HotSpotInstalledCode) code;
        }
    }

    private static HotSpotCompilationRequest request(HotSpotResolvedJavaMethod method) {
        int entry = JVMCICompiler.INVOCATION_ENTRY_BCI;
        return new HotSpotCompilationRequest(method, entry, 0L, method.allocateCompileId(entry));
    }
}
