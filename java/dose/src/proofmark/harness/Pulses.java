package proofmark.harness;

import java.util.concurrent.locks.LockSupport;

/**
 * Lets all sites make turns for a moment now and then, in a thread of its own. So compilers learn both ways through a
 * site, and that the one past its loop is by far the usual one: they keep the loop out of the way.
 */
final class Pulses extends Thread {
    private static final long LONG_NS = 100_000L;
    private static final long BETWEEN_NS = 5_000_000L;

    private final Sites sites;
    private final int most;
    private volatile boolean ending;

    Pulses(Sites sites, int most) {
        super("proofmark-pulses");
        this.sites = sites;
        this.most = most;
        setDaemon(true);
    }

    @Override
    public void run() {
        while (!ending) {
            sites.randomise(most);
            long until = System.nanoTime() + LONG_NS;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            sites.rest();
            LockSupport.parkNanos(BETWEEN_NS);
        }
    }

    /** Waits for the last one; all sites are at rest then. */
    void end() throws InterruptedException {
        ending = true;
        join();
    }
}
