import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Calls of every kind, no exceptions: its exact and its sampled profile are known to each other. */
public class Contexts {
    interface Step {
        int step(int of);

        default int twice(int of) {
            return step(step(of));
        }
    }

    static final class Add implements Step {
        private final int by;

        Add(int by) {
            this.by = by;
        }

        int by() {
            return by;
        }

        @Override
        public int step(int of) {
            return of + by();
        }
    }

    static class Chain implements Step {
        private final List<Step> steps = new ArrayList<>();

        Chain with(Step step) {
            steps.add(step);
            return this;
        }

        @Override
        public int step(int of) {
            int value = of;
            for (Step step : steps) {
                value = step.step(value) & 0xffff;
            }
            return value;
        }
    }

    static class Tables {
        static final int[] FIBONACCI = new int[20];

        static {
            for (int i = 0; i < FIBONACCI.length; i++) {
                FIBONACCI[i] = fibonacci(i);
            }
        }
    }

    static int fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    static int spin(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i % 7 == 3 ? i : 1;
        }
        return sum;
    }

    static boolean early(int n) {
        if (n % 3 != 0) {
            return false;
        }
        return spin(n % 50) > 3;
    }

    static long all(int round) {
        Step chain = new Chain().with(new Add(round)).with(x -> x ^ 21).with(new Add(5));
        Integer[] sorted = new Integer[40];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = chain.twice(i * 37 % 41);
        }
        Arrays.sort(sorted, (a, b) -> new Add(-b).step(a));
        IntUnaryOperator operator = chain::step;
        long result = operator.applyAsInt(round) + fibonacci(10) + Tables.FIBONACCI[12];
        for (int value : sorted) {
            result = result * 31 + (early(value) ? spin(value & 63) : value);
        }
        return result;
    }

    public static void main(String[] arguments) {
        long result = 0;
        for (int round = 0; round < 60; round++) {
            result = result * 17 + all(round);
        }
        System.out.println(result);
    }
}
