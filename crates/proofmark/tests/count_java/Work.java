import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** A little deterministic work of several kinds: {@code Work ROUNDS}. */
public class Work {
    static int state = 42;

    static int random(int limit) {
        state = state * 1309 + 13849 & 0xffff;
        return state % limit;
    }

    static int fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    static long loop(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i ^ sum >> 3;
        }
        return sum;
    }

    /** Each return leads to itself, one call further up. */
    static int last(int n) {
        return n == 0 ? state : last(n - 1);
    }

    /** The return is five bytes behind the call, as {@link Shape#down}'s is, and leads to something else. */
    static int deep(int n) {
        return n == 0 ? 0 : deep(n - 1) + 1;
    }

    static int caught(int n) {
        try {
            if (n % 3 == 0) {
                throw new IllegalStateException();
            }
            return n;
        } catch (IllegalStateException e) {
            return -1;
        }
    }

    interface Shape {
        double area();

        default int down(int n) {
            return n == 0 ? 7 : down(n - 1);
        }
    }

    record Square(int side) implements Shape {
        public double area() {
            return side * side;
        }
    }

    record Disc(int radius) implements Shape {
        public double area() {
            return 3 * radius * radius;
        }
    }

    static double shapes(int n) {
        List<Shape> shapes = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            shapes.add(random(2) == 0 ? new Square(random(9)) : new Disc(random(9)));
        }
        shapes.sort((a, b) -> Double.compare(a.area(), b.area()));
        double sum = 0;
        for (Shape shape : shapes) {
            sum += shape.area();
        }
        return sum;
    }

    static int words(int n) {
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < n; i++) {
            counts.merge("w" + random(20), 1, (a, b) -> a + b);
        }
        return counts.values().stream().mapToInt(Integer::intValue).map(x -> x * 2).sum();
    }

    static int apply(IntUnaryOperator operator, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += operator.applyAsInt(i);
        }
        return sum;
    }

    public static void main(String[] arguments) {
        long sum = 0;
        for (int round = Integer.parseInt(arguments[0]); round > 0; round--) {
            sum += fibonacci(12) + loop(500) + caught(round) + (long) shapes(50) + words(60) + apply(x -> x + 1, 40);
            sum += last(20) + deep(10) + new Square(2).down(15);
        }
        System.out.println(sum);
    }
}
