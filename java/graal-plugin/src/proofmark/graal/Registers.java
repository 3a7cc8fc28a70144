package proofmark.graal;

import static jdk.vm.ci.amd64.AMD64.r10;
import static jdk.vm.ci.amd64.AMD64.r11;
import static jdk.vm.ci.amd64.AMD64.r12;
import static jdk.vm.ci.amd64.AMD64.r13;
import static jdk.vm.ci.amd64.AMD64.r14;
import static jdk.vm.ci.amd64.AMD64.r8;
import static jdk.vm.ci.amd64.AMD64.r9;
import static jdk.vm.ci.amd64.AMD64.rax;
import static jdk.vm.ci.amd64.AMD64.rbp;
import static jdk.vm.ci.amd64.AMD64.rbx;
import static jdk.vm.ci.amd64.AMD64.rcx;
import static jdk.vm.ci.amd64.AMD64.rdi;
import static jdk.vm.ci.amd64.AMD64.rdx;
import static jdk.vm.ci.amd64.AMD64.rsi;

import java.util.ArrayList;
import java.util.List;

import jdk.graal.compiler.lir.LIRInstruction;
import jdk.graal.compiler.lir.LIRValueUtil;
import jdk.vm.ci.code.Register;
import jdk.vm.ci.code.RegisterValue;
import jdk.vm.ci.meta.Value;

/**
 * Which registers slowdown instructions rotate over. {@code mov r,r} costs a whole cycle when
 * {@code r} is on the block's critical chain and a fifth of one when it is not, so registers that
 * the block does not touch come first; at least {@link #WANTED} are taken, because a chain through
 * fewer would become critical itself.
 */
final class Registers {
    static final int WANTED = 8;
    private static final Register[] PREFERENCE = {r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rbx, rdx, rcx, rax};

    private Registers() {
    }

    static Register[] idle(List<LIRInstruction> operations) {
        int[] uses = new int[16];
        for (LIRInstruction op : operations) {
            op.forEachInput((value, mode, flags) -> note(uses, value));
            op.forEachAlive((value, mode, flags) -> note(uses, value));
            op.forEachTemp((value, mode, flags) -> note(uses, value));
            op.forEachOutput((value, mode, flags) -> note(uses, value));
        }
        List<Register> order = new ArrayList<>(List.of(PREFERENCE));
        order.sort((a, b) -> Integer.compare(uses[a.number], uses[b.number]));
        return order.subList(0, WANTED).toArray(Register[]::new);
    }

    private static Value note(int[] uses, Value value) {
        if (value instanceof RegisterValue register && register.getRegister().number < uses.length
                && !LIRValueUtil.isVariable(value)) {
            uses[register.getRegister().number]++;
        }
        return value;
    }
}
