package proofmark.graal;

import java.util.ArrayList;

import jdk.graal.compiler.core.common.cfg.BasicBlock;
import jdk.graal.compiler.graph.NodeSourcePosition;
import jdk.graal.compiler.hotspot.HotSpotCompilationIdentifier;
import jdk.graal.compiler.hotspot.HotSpotLIRGenerationResult;
import jdk.graal.compiler.lir.LIR;
import jdk.graal.compiler.lir.LIRInstruction;
import jdk.graal.compiler.lir.amd64.AMD64ControlFlow;
import jdk.graal.compiler.lir.gen.LIRGenerationResult;
import jdk.graal.compiler.lir.phases.FinalCodeAnalysisPhase;
import jdk.graal.compiler.nodes.cfg.ControlFlowGraph;
import jdk.vm.ci.code.Register;
import jdk.vm.ci.code.TargetDescription;

/**
 * Runs after register allocation, block ordering and every optimisation. Describes the unit's
 * blocks, puts a zero-byte probe in front of every operation and inserts what {@link Tables} holds
 * for the unit. The graph and the order of blocks are no longer looked at by anybody, so that
 * nothing feeds back into the compiler's decisions.
 */
final class InsertionPhase extends FinalCodeAnalysisPhase {
    @Override
    protected void run(TargetDescription target, LIRGenerationResult result, FinalCodeAnalysisContext context) {
        if (!(result instanceof HotSpotLIRGenerationResult hotspot) || hotspot.getStub() != null) {
            return;
        }
        LIR lir = result.getLIR();
        if (!(lir.getControlFlowGraph() instanceof ControlFlowGraph cfg)
                || !(cfg.graph.compilationId() instanceof HotSpotCompilationIdentifier id)) {
            return;
        }
        String unit = Names.unit(id.getRequest().getMethod(), id.getRequest().getEntryBCI());
        Callers.check(unit, cfg.graph.getMethods());
        Insertion insertion = Tables.insertion(unit);
        CodeRecord record = new CodeRecord(unit, id, insertion);
        CycleEstimates cycles = new CycleEstimates(cfg);
        boolean first = true;
        for (int blockId : lir.codeEmittingOrder()) {
            if (!LIR.isBlockDeleted(blockId)) {
                BasicBlock<?> block = lir.getBlockById(blockId);
                ArrayList<LIRInstruction> own = lir.getLIRforBlock(block);
                record.describe(block, cycles.of(block), own);
                ArrayList<LIRInstruction> edited = new BlockEditor(record, insertion, block.getId(), own).edit(first);
                // In place: with assertions on, Graal lets a block's list be set only once.
                own.clear();
                own.addAll(edited);
                first = false;
            }
        }
        Tables.compiled(record);
    }

    /** Rewrites the operations of one block. */
    private static final class BlockEditor {
        private final CodeRecord record;
        private final Insertion insertion;
        private final int block;
        private final ArrayList<LIRInstruction> own;
        private final ArrayList<LIRInstruction> edited;
        private final int count;
        private final Register[] registers;
        private int placed;

        BlockEditor(CodeRecord record, Insertion insertion, int block, ArrayList<LIRInstruction> own) {
            this.record = record;
            this.insertion = insertion;
            this.block = block;
            this.own = own;
            this.edited = new ArrayList<>(2 * own.size() + 4);
            this.count = insertion.count(block);
            this.registers = count > 0 ? Registers.idle(own) : null;
        }

        /** The label stays first and the block end last, as the compiler's own checks want it. */
        ArrayList<LIRInstruction> edit(boolean firstBlock) {
            edited.add(own.get(0));
            int end = own.size() - 1;
            int carrier = insertion.point() == Insertion.Point.DEBUG ? firstWithPosition() : 0;
            for (int i = 1; i <= end; i++) {
                if (i == 1) {
                    enter(firstBlock);
                }
                fill(i, end, carrier);
                edited.add(probe(own.get(i), false));
                edited.add(own.get(i));
            }
            return edited;
        }

        private void enter(boolean firstBlock) {
            edited.add(new InsertedOps.Probe(record, block, CodeRecord.NO_POSITION, insertion.counters() != 0 || insertion.markers(), firstBlock));
            if (insertion.counters() != 0) {
                edited.add(new InsertedOps.Count(insertion.counters() + 8L * block));
            }
            if (insertion.markers()) {
                edited.add(new InsertedOps.Mark(block));
            }
        }

        /** Puts in front of operation {@code i} what is due there. */
        private void fill(int i, int end, int carrier) {
            int due = switch (insertion.point()) {
                case SPREAD -> spread(i, end);
                case START -> i == 1 ? count : 0;
                case END -> i == lastSlot(end) ? count : 0;
                case DEBUG -> i == carrier ? count : 0;
            };
            if (due == 0) {
                return;
            }
            LIRInstruction filler = new InsertedOps.Fill(insertion.filler(), due, placed, registers);
            placed += due;
            NodeSourcePosition position = own.get(i).getPosition();
            boolean carries = insertion.point() == Insertion.Point.DEBUG && position != null;
            if (carries) {
                filler.setPosition(position);
            }
            edited.add(new InsertedOps.Probe(record, block, carries ? record.position(position) : CodeRecord.NO_POSITION, true, false));
            edited.add(filler);
        }

        /** How many of the block's count fall to slot {@code i} when all slots get the same, rounded. */
        private int spread(int i, int end) {
            int slots = lastSlot(end);
            if (count == 0 || i > slots) {
                return 0;
            }
            return (int) ((long) count * i / slots - (long) count * (i - 1) / slots);
        }

        /** A jump that reads flags fuses with the operation in front of it: nothing goes between. */
        private int lastSlot(int end) {
            Class<?> ending = own.get(end).getClass();
            boolean readsFlags = ending == AMD64ControlFlow.BranchOp.class || ending == AMD64ControlFlow.FloatBranchOp.class;
            return readsFlags && end > 1 ? end - 1 : end;
        }

        private int firstWithPosition() {
            for (int i = 1; i < own.size(); i++) {
                if (own.get(i).getPosition() != null) {
                    return i;
                }
            }
            return own.size() - 1;
        }

        private InsertedOps.Probe probe(LIRInstruction op, boolean inserted) {
            return new InsertedOps.Probe(record, block, record.position(op.getPosition()), inserted, false);
        }
    }
}
