package proofmark.suite.trouble;

import proofmark.suite.Program;

/** Throws an exception in the 5th iteration. */
public final class Throws extends Program {
    private static final int LAST = 5;

    private int iterations;

    @Override
    public Object run() {
        iterations++;
        if (iterations == LAST) {
            throw new IllegalStateException("thrown on purpose in iteration " + LAST);
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
