package proofmark.graal;

import jdk.graal.compiler.asm.amd64.AMD64MacroAssembler;
import jdk.graal.compiler.lir.LIRInstructionClass;
import jdk.graal.compiler.lir.Opcode;
import jdk.graal.compiler.lir.amd64.AMD64LIRInstruction;
import jdk.graal.compiler.lir.asm.CompilationResultBuilder;
import jdk.vm.ci.code.Register;

/** The LIR operations that {@link InsertionPhase} puts between the compiler's own. */
public final class InsertedOps {
    private InsertedOps() {
    }

    /** Emits nothing; notes at which offset the next operation starts. */
    @Opcode("PROOFMARK_PROBE")
    public static final class Probe extends AMD64LIRInstruction {
        public static final LIRInstructionClass<Probe> TYPE = LIRInstructionClass.create(Probe.class);
        private final CodeRecord record;
        private final int block;
        private final int position;
        private final boolean inserted;
        private final boolean first;

        Probe(CodeRecord record, int block, int position, boolean inserted, boolean first) {
            super(TYPE);
            this.record = record;
            this.block = block;
            this.position = position;
            this.inserted = inserted;
            this.first = first;
        }

        @Override
        public void emitCode(CompilationResultBuilder crb, AMD64MacroAssembler masm) {
            if (first) {
                record.restart();
                crb.getLIR().addSlowPath(this, () -> record.span(masm.position(), CodeRecord.NO_BLOCK, CodeRecord.NO_POSITION, false));
            }
            record.span(masm.position(), block, position, inserted);
        }
    }

    /** Slowdown instructions on registers taken in turn. */
    @Opcode("PROOFMARK_FILL")
    public static final class Fill extends AMD64LIRInstruction {
        public static final LIRInstructionClass<Fill> TYPE = LIRInstructionClass.create(Fill.class);
        private final Filler filler;
        private final int count;
        private final int rotation;
        private final Register[] registers;

        Fill(Filler filler, int count, int rotation, Register[] registers) {
            super(TYPE);
            this.filler = filler;
            this.count = count;
            this.rotation = rotation;
            this.registers = registers;
        }

        @Override
        public void emitCode(CompilationResultBuilder crb, AMD64MacroAssembler masm) {
            for (int i = 0; i < count; i++) {
                filler.emit(masm, registers[(rotation + i) % registers.length]);
            }
        }
    }

    /** Adds one to an 8-byte counter below 2 GB: one instruction, no register; flags must be dead. */
    @Opcode("PROOFMARK_COUNT")
    public static final class Count extends AMD64LIRInstruction {
        public static final LIRInstructionClass<Count> TYPE = LIRInstructionClass.create(Count.class);
        private final int address;

        Count(long address) {
            super(TYPE);
            this.address = Math.toIntExact(address);
        }

        @Override
        public void emitCode(CompilationResultBuilder crb, AMD64MacroAssembler masm) {
            masm.emitByte(0x48);
            masm.emitByte(0xFF);
            masm.emitByte(0x04);
            masm.emitByte(0x25);
            masm.emitInt(address);
        }
    }

    /** An 8-byte NOP whose displacement is the block id: tests the probes' map against the bytes. */
    @Opcode("PROOFMARK_MARK")
    public static final class Mark extends AMD64LIRInstruction {
        public static final LIRInstructionClass<Mark> TYPE = LIRInstructionClass.create(Mark.class);
        /** Upper half of the displacement, which no compiler's own padding holds. */
        static final int TAG = 0x504D_0000;
        private final int block;

        Mark(int block) {
            super(TYPE);
            this.block = block;
        }

        @Override
        public void emitCode(CompilationResultBuilder crb, AMD64MacroAssembler masm) {
            masm.emitByte(0x0F);
            masm.emitByte(0x1F);
            masm.emitByte(0x84);
            masm.emitByte(0x00);
            masm.emitInt(TAG | (block & 0xFFFF));
        }
    }
}
