package proofmark.suite;

import java.util.Arrays;

/**
 * Runs programs of the suite and prints for each its name, ok or WRONG, and the median milliseconds per iteration.
 *
 * <p>Arguments: the number of iterations (default 10), then program names inside {@code proofmark.suite} (default:
 * all). Exit status 1 when any result is wrong or a program throws.
 */
public final class Check {
    private static final String[] ALL = {
        "Towers", "Queens", "Permute", "Sieve", "Bounce", "List", "Storage", "Mandelbrot", "NBody",
        "Richards", "Json", "DeltaBlue", "Havlak", "CD",
        "Victim",
    };

    private Check() {}

    /** See the class comment. */
    public static void main(String[] arguments) {
        int iterations = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10;
        if (iterations < 1) {
            throw new IllegalArgumentException("the number of iterations must be at least 1");
        }
        String[] names = arguments.length > 1 ? Arrays.copyOfRange(arguments, 1, arguments.length) : ALL;
        boolean allRight = true;
        for (String name : names) {
            allRight &= report(name, iterations);
        }
        if (names == ALL) {
            allRight &= report("Mandelbrot 500", Mandelbrot.published(), 1);
        }
        if (!allRight) {
            System.exit(1);
        }
    }

    private static boolean report(String name, int iterations) {
        try {
            return report(name, named(name), iterations);
        } catch (ReflectiveOperationException thrown) {
            System.out.printf("%-20s MISSING %s%n", name, thrown);
            return false;
        }
    }

    private static Program named(String name) throws ReflectiveOperationException {
        Class<?> type = Class.forName(Check.class.getPackageName() + "." + name);
        return (Program) type.getConstructor().newInstance();
    }

    private static boolean report(String name, Program program, int iterations) {
        try {
            double[] times = new double[iterations];
            boolean right = measure(program, times);
            System.out.printf("%-20s %-5s %8.2f ms%n", name, right ? "ok" : "WRONG", median(times));
            return right;
        } catch (RuntimeException thrown) {
            System.out.printf("%-20s THROWS %s%n", name, thrown);
            return false;
        }
    }

    private static boolean measure(Program program, double[] times) {
        boolean right = true;
        for (int i = 0; i < times.length; i++) {
            long start = System.nanoTime();
            right &= program.iterate();
            times[i] = (System.nanoTime() - start) / 1e6;
        }
        return right;
    }

    private static double median(double[] times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
