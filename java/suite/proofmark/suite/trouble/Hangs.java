package proofmark.suite.trouble;

import java.util.concurrent.locks.LockSupport;
import proofmark.suite.Program;

/** Works for 5 iterations and never returns from the 6th, in which it sleeps. */
public final class Hangs extends Program {
    private static final int LAST = 5;

    private int iterations;

    @Override
    public Object run() {
        iterations++;
        while (iterations > LAST) {
            LockSupport.park(this);
        }
        return Load.work(1);
    }

    @Override
    public boolean check(Object result) {
        return result.equals(Load.RESULT);
    }

    @Override
    public int repetitions() {
        return 1;
    }
}
