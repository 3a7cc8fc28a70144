import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;

/**
 * What part of a victim's time one of its methods takes, by the clock alone. The method's work is taken away through a
 * field, in turns with windows in which it is done, so that the same machine code runs in both.
 *
 * <p>Accuracy: what the program saves without that work is at most what the work takes, because what is left may have been
 * hidden behind it before. So the part is known from below: at least so much is the method's, and at most the rest belongs
 * to all others together. The interval is that of the median over pairs of windows (ranks of the binomial distribution).
 */
final class Clock {
    /** A program most of whose time is that of one method. */
    interface Victim {
        /** From now on that method has all of its work to do, or none. */
        void set(boolean whole);

        /** One iteration; the result depends on what was done. */
        long run();
    }

    private static final long WARM_NS = 3_000_000_000L;
    private static final long WINDOW_NS = 20_000_000L;
    private static final int PAIRS = 40;
    /** Of 40 values that are sorted, the 14th and the 27th enclose the median in 96 of 100 cases. */
    private static final int LOW = 13;
    private static final int HIGH = 26;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static long sink;

    private Clock() {
    }

    /**
     * Prints a line of JSON.
     *
     * @param methods the method, and those that stand for it in profiles, with spaces between them
     * @param none methods that take no time in an iteration, likewise
     */
    static void tell(Victim victim, String methods, String none) {
        long until = System.nanoTime() + WARM_NS;
        while (System.nanoTime() < until) {
            window(victim, true);
            window(victim, false);
        }
        double[] parts = new double[PAIRS];
        for (int pair = 0; pair < PAIRS; pair++) {
            // A B, then B A: a slow drift of the machine falls on both.
            boolean first = pair % 2 == 0;
            double one = window(victim, first);
            double other = window(victim, !first);
            parts[pair] = 100 * (1 - (first ? other / one : one / other));
        }
        Arrays.sort(parts);
        double median = (parts[PAIRS / 2 - 1] + parts[PAIRS / 2]) / 2;
        System.out.printf(Locale.ROOT, "{\"methods\": %s, \"none\": %s, \"pct\": {\"value\": %.2f, \"low\": %.2f, \"high\": %.2f, \"n\": %d}}%n",
                list(methods), list(none), median, parts[LOW], parts[HIGH], PAIRS);
    }

    /** CPU time of an iteration, ns. The first one is not counted: it runs in caches that the other kind has left. */
    private static double window(Victim victim, boolean whole) {
        victim.set(whole);
        sink += victim.run();
        long begin = THREADS.getCurrentThreadCpuTime();
        long spent;
        int iterations = 0;
        do {
            sink += victim.run();
            iterations++;
            spent = THREADS.getCurrentThreadCpuTime() - begin;
        } while (spent < WINDOW_NS);
        return (double) spent / iterations;
    }

    private static String list(String names) {
        return names.isEmpty() ? "[]" : "[\"" + names.replace(" ", "\", \"") + "\"]";
    }
}
