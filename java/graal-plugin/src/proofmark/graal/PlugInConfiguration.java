package proofmark.graal;

import jdk.graal.compiler.core.phases.CommunityCompilerConfiguration;
import jdk.graal.compiler.lir.phases.FinalCodeAnalysisPhase.FinalCodeAnalysisContext;
import jdk.graal.compiler.lir.phases.LIRPhaseSuite;
import jdk.graal.compiler.options.OptionValues;

/** The community configuration; {@link InsertionPhase} runs after every other phase. */
final class PlugInConfiguration extends CommunityCompilerConfiguration {
    @Override
    public LIRPhaseSuite<FinalCodeAnalysisContext> createFinalCodeAnalysisStage(OptionValues options) {
        LIRPhaseSuite<FinalCodeAnalysisContext> stage = super.createFinalCodeAnalysisStage(options);
        stage.appendPhase(new InsertionPhase());
        return stage;
    }
}
