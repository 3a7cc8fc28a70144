package proofmark.suite;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Runs one program: {@code Repeat NAME ITERATIONS}, or {@code Repeat NAME ITERATIONS SECONDS} to time it. Exit status 1
 * if a result is wrong. Prints nothing but {@code ok} or {@code WRONG}, so that the same work is done every time.
 *
 * <p>Timed, it iterates for so many seconds of the thread's CPU time to warm up and then prints the CPU time of each
 * iteration, in ns.
 */
public final class Repeat {
    private Repeat() {}

    /** See the class comment. */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        Class<?> type = Class.forName(Repeat.class.getPackageName() + "." + arguments[0]);
        Program program = (Program) type.getConstructor().newInstance();
        int iterations = Integer.parseInt(arguments[1]);
        boolean right = true;
        if (arguments.length > 2) {
            right = timed(program, iterations, Double.parseDouble(arguments[2]));
        } else {
            for (int i = 0; i < iterations; i++) {
                right &= program.iterate();
            }
        }
        System.out.println(right ? "ok" : "WRONG");
        if (!right) {
            System.exit(1);
        }
    }

    private static boolean timed(Program program, int iterations, double seconds) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        boolean right = true;
        for (long begin = threads.getCurrentThreadCpuTime();
                (threads.getCurrentThreadCpuTime() - begin) / 1e9 < seconds; ) {
            right &= program.iterate();
        }
        long[] times = new long[iterations];
        for (int i = 0; i < iterations; i++) {
            long begin = threads.getCurrentThreadCpuTime();
            right &= program.iterate();
            times[i] = threads.getCurrentThreadCpuTime() - begin;
        }
        for (long time : times) {
            System.out.println(time);
        }
        return right;
    }
}
