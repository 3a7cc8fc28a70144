package proofmark.graal;

import jdk.graal.compiler.core.phases.CommunityCompilerConfiguration;
import jdk.graal.compiler.core.phases.HighTier;
import jdk.graal.compiler.core.phases.LowTier;
import jdk.graal.compiler.core.phases.MidTier;
import jdk.graal.compiler.lir.phases.FinalCodeAnalysisPhase.FinalCodeAnalysisContext;
import jdk.graal.compiler.lir.phases.LIRPhaseSuite;
import jdk.graal.compiler.options.OptionValues;
import jdk.vm.ci.code.Architecture;

import proofmark.graal.events.EventPhases;

/** The community configuration; {@link InsertionPhase} runs after every other phase, those that count events before code is made. */
final class PlugInConfiguration extends CommunityCompilerConfiguration {
    @Override
    public HighTier createHighTier(OptionValues options) {
        HighTier tier = super.createHighTier(options);
        EventPhases.mark(tier, "high");
        return tier;
    }

    @Override
    public MidTier createMidTier(OptionValues options) {
        MidTier tier = super.createMidTier(options);
        EventPhases.mark(tier, "mid");
        return tier;
    }

    @Override
    public LowTier createLowTier(OptionValues options, Architecture architecture) {
        LowTier tier = super.createLowTier(options, architecture);
        EventPhases.count(tier, options);
        return tier;
    }

    @Override
    public LIRPhaseSuite<FinalCodeAnalysisContext> createFinalCodeAnalysisStage(OptionValues options) {
        LIRPhaseSuite<FinalCodeAnalysisContext> stage = super.createFinalCodeAnalysisStage(options);
        stage.appendPhase(new InsertionPhase());
        return stage;
    }
}
