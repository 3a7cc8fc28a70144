package proofmark.graal;

import jdk.graal.compiler.asm.amd64.AMD64Address;
import jdk.graal.compiler.asm.amd64.AMD64MacroAssembler;
import jdk.graal.compiler.asm.amd64.AVXKind.AVXSize;
import jdk.vm.ci.amd64.AMD64;
import jdk.vm.ci.code.Register;

/** Candidate instructions that slow a block and change neither registers, flags nor memory in use. */
public enum Filler {
    /** {@code mov r,r}, 64 bit, on rotated registers. */
    MOV,
    /** Two-byte {@code nop}. */
    NOP,
    /** Nine-byte {@code nop}. */
    NOP9,
    /** {@code lea r,[r]} on rotated registers. */
    LEA,
    /** {@code push r; pop r}. */
    PUSHPOP,
    /** Store fence. */
    SFENCE,
    /** Spin-loop hint. */
    PAUSE,
    /** Makes room on the stack, stores and reloads a vector register, gives the room back. */
    LONG;

    void emit(AMD64MacroAssembler masm, Register rotated) {
        switch (this) {
            case MOV -> masm.movq(rotated, rotated);
            case NOP -> masm.nop(2);
            case NOP9 -> masm.nop(9);
            case LEA -> masm.leaq(rotated, new AMD64Address(rotated));
            case PUSHPOP -> {
                masm.push(rotated);
                masm.pop(rotated);
            }
            case SFENCE -> masm.sfence();
            case PAUSE -> masm.pause();
            case LONG -> emitLong(masm);
        }
    }

    /** The stack pointer moves by {@code lea}, which leaves the flags alone. */
    private static void emitLong(AMD64MacroAssembler masm) {
        AMD64Address top = new AMD64Address(AMD64.rsp);
        masm.leaq(AMD64.rsp, new AMD64Address(AMD64.rsp, -32));
        masm.vmovdqu(top, AMD64.xmm0);
        masm.vmovdqu(AMD64.xmm0, top);
        masm.leaq(AMD64.rsp, new AMD64Address(AMD64.rsp, 32));
    }
}
