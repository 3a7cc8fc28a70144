import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/** Threads that are more than usual: many, short-lived, in a pool, and with a will of their own. */
public final class Crowd {
    private static final int PARKED = 6;

    /** Nobody but the program may ask. */
    private static final class Own extends Thread {
        Own(Runnable work) {
            super(work, "own");
        }

        @Override
        public State getState() {
            throw new UnsupportedOperationException("asked");
        }
    }

    private Crowd() {
    }

    private static long work(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i % 7;
        }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        CountDownLatch ready = new CountDownLatch(PARKED);
        CountDownLatch over = new CountDownLatch(1);
        Thread[] parked = new Thread[PARKED];
        for (int at = 0; at < PARKED; at++) {
            parked[at] = new Own(() -> {
                work(100);
                ready.countDown();
                try {
                    over.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            parked[at].setDaemon(true);
            parked[at].start();
        }
        // A thread that fails before its work begins would never be ready.
        while (!ready.await(10, TimeUnit.MILLISECONDS)) {
            for (Thread thread : parked) {
                if (!thread.isAlive()) {
                    throw new AssertionError(thread + " has ended");
                }
            }
        }
        long sum = 0;
        for (int at = 0; at < 500; at++) {
            int n = at;
            sum += ForkJoinPool.commonPool().submit(() -> work(n)).get();
        }
        long[] shortLived = new long[1];
        for (int at = 0; at < 2000; at++) {
            int n = at;
            Thread thread = new Own(() -> shortLived[0] += work(n));
            thread.start();
            thread.join();
        }
        over.countDown();
        for (Thread thread : parked) {
            thread.join();
        }
        System.out.println("pool " + sum + ", threads " + shortLived[0]);
    }
}
