package proofmark.suite;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * {@code Windows PROGRAM WARM_UP_S WINDOWS TURNS...}: warms a program up under each of these numbers of turns, then measures so
 * many windows under each, in turn there and back. A line {@code @window TURNS NS} for each: CPU time of an iteration, ns.
 * Around all windows a line {@code @code ID BYTES METHOD ADDRESS} for each compiled method of the program.
 */
public final class Windows {
    private static final long WINDOW_NS = 100_000_000L;
    /** An odd number above the ten bits of the turns. */
    private static final int SEED = 0x5a5a7 << 10;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private Windows() {
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Class<?> type = Class.forName("proofmark.suite." + arguments[0]);
        Program program = (Program) type.getDeclaredConstructor().newInstance();
        long warmUp = (long) (1e9 * Double.parseDouble(arguments[1]));
        int windows = Integer.parseInt(arguments[2]);
        int[] turns = Arrays.stream(arguments).skip(3).mapToInt(Integer::parseInt).toArray();
        long end = System.nanoTime() + warmUp;
        for (int at = 0; System.nanoTime() < end; at++) {
            Slow.dose = dose(turns[at % turns.length]);
            iterate(program);
        }
        code("before");
        say("@measuring");
        for (int at = 0; at < windows; at++) {
            for (int i = 0; i < turns.length; i++) {
                window(program, turns[at % 2 == 0 ? i : turns.length - 1 - i]);
            }
        }
        say("@measured");
        code("after");
        Slow.calls = 0;
        iterate(program);
        say("@calls " + Slow.calls);
    }

    private static int dose(int turns) {
        return turns == 0 ? 0 : SEED | turns;
    }

    private static void window(Program program, int turns) {
        Slow.dose = dose(turns);
        iterate(program);
        int iterations = 0;
        long begin = THREADS.getCurrentThreadCpuTime();
        long spent = 0;
        while (spent < WINDOW_NS) {
            iterate(program);
            iterations++;
            spent = THREADS.getCurrentThreadCpuTime() - begin;
        }
        say("@window " + turns + " " + (double) spent / iterations);
    }

    private static void iterate(Program program) {
        if (!program.iterate()) {
            throw new IllegalStateException("a wrong result");
        }
    }

    /** What the JVM has compiled of the program, as its own diagnostic command tells it. */
    private static void code(String when) {
        String list;
        try {
            ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
            list = (String) ManagementFactory.getPlatformMBeanServer().invoke(commands, "compilerCodelist", null, null);
        } catch (JMException | RuntimeException e) {
            say("@code " + when + " unknown: " + e);
            return;
        }
        list.lines().filter(line -> line.contains("proofmark.suite.")).filter(line -> !line.contains(".Windows.")).forEach(line -> say("@code " + when + " " + line));
    }

    /** On a line of its own, whatever the JVM prints meanwhile. */
    private static void say(String line) {
        System.out.print("\n" + line + "\n");
        System.out.flush();
    }
}
