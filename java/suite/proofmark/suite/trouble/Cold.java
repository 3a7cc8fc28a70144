package proofmark.suite.trouble;

import proofmark.suite.Program;

/** Does almost nothing but sleep for 15 ms. */
public final class Cold extends Program {
    private static final int MILLISECONDS = 15;
    private static final int STEPS = 1000;
    private static final long RESULT = -7_022_480_548_762_011_603L;

    @Override
    public Object run() {
        try {
            Thread.sleep(MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return Load.work(1, STEPS);
    }

    @Override
    public boolean check(Object result) {
        return result.equals(RESULT);
    }

    @Override
    public int repetitions() {
        return 1;
    }
}
