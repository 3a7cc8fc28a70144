package proofmark.suite.trouble;

import proofmark.suite.Program;

/** Does its work in two threads that it starts and waits for. */
public final class Forks extends Program {
    private static final long[] SEEDS = {1, 2};
    private static final long RESULT = -4_552_114_443_612_204_443L;

    @Override
    public Object run() {
        long[] results = new long[SEEDS.length];
        Thread[] threads = new Thread[SEEDS.length];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> results[number] = Load.work(SEEDS[number]), "forked-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            join(thread);
        }
        return results[0] ^ results[1];
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
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
