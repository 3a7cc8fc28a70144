package proofmark.suite.trouble;

import proofmark.suite.Program;

/** Gives another result every time, and calls it wrong when it differs from the first. */
public final class Unrepeatable extends Program {
    private long runs;
    private Object first;

    @Override
    public Object run() {
        runs++;
        return Load.work(System.nanoTime() << 8 | runs & 0xFF);
    }

    @Override
    public boolean check(Object result) {
        if (first == null) {
            first = result;
        }
        return result.equals(first);
    }

    @Override
    public int repetitions() {
        return 1;
    }
}
