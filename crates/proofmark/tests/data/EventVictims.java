import java.util.concurrent.atomic.AtomicInteger;

/**
 * Methods whose events are known. {@link #run} calls each so often per iteration as the test says; none
 * is inlined (the test sees to that), so that each is a unit.
 */
public final class EventVictims {
    static final int CALLS = 1000;
    static int zero;
    static Object kept;
    static float floatSink;
    static double doubleSink;
    static volatile int fenced;
    static final int[] INTS = new int[64];
    static final Object[] OBJECTS = {"a", 1, 2L, "b", 3, 4L, "c", 5};
    static final AtomicInteger ATOMIC = new AtomicInteger();
    static final Object INFLATED = new Object();
    static final Shape[] SHAPES = new Shape[9];

    abstract static class Shape implements Comparable<Shape> {
        final int sides;

        Shape(int sides) {
            this.sides = sides;
        }

        abstract int area();

        public int compareTo(Shape other) {
            return sides - other.sides;
        }
    }

    static class Pair {
        int a;
        Object b;
    }

    static int opaque(int x) {
        return x + zero;
    }

    static int allocation(int i) {
        Pair pair = new Pair();
        pair.a = i;
        kept = pair;
        return i;
    }

    /** Both sides begin alike: the compiler moves what they have in common in front of the question. */
    static int bothAllocate(int i) {
        if ((i & 1) == 0) {
            Pair pair = new Pair();
            pair.a = i;
            kept = pair;
        } else {
            kept = new long[] {i};
        }
        return i;
    }

    static int bothAsk(Object o, int i) {
        if ((i & 1) == 0) {
            return o instanceof Integer ? 1 : 2;
        }
        return o instanceof Long ? 3 : 4;
    }

    /** Escape analysis leaves nothing of it. */
    static int scalarReplaced(int i) {
        Pair pair = new Pair();
        pair.a = i;
        return pair.a + 1;
    }

    /** Once the object is gone, both sides are the same and nothing is left to be asked. */
    static int sameSides(int i) {
        Pair pair = new Pair();
        pair.a = i;
        return (i & 1) == 0 ? pair.a : i;
    }

    static int arrayDuplication(int[] array) {
        kept = java.util.Arrays.copyOf(array, array.length);
        return 1;
    }

    static int arithmetic(int i) {
        return (i * 37) ^ (i >>> 3);
    }

    static int division(int i, int by) {
        return i / by;
    }

    static float floats(float f, float g) {
        return f * g + f;
    }

    static float floatDivision(float f, float g) {
        return f / g;
    }

    static double doubles(double f, double g) {
        return f * g - g;
    }

    static double doubleDivision(double f, double g) {
        return f / g;
    }

    static void copy(int[] from, int[] to, int length) {
        System.arraycopy(from, 0, to, 0, length);
    }

    static boolean cas(int i) {
        return ATOMIC.compareAndSet(i, i + 1);
    }

    static int loop(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            s = opaque(s);
        }
        return s;
    }

    static int virtualCall(Shape shape) {
        return shape.area();
    }

    static int interfaceCall(Comparable<Shape> shape) {
        return shape.compareTo(null == kept ? SHAPES[0] : SHAPES[1]);
    }

    private int special(int i) {
        return i + zero;
    }

    static int specialCall(EventVictims victims, int i) {
        return victims.special(i);
    }

    static int casLock(Object free) {
        synchronized (free) {
            return opaque(1);
        }
    }

    static int inflatedLock(int i) {
        synchronized (INFLATED) {
            return opaque(i);
        }
    }

    static int recursiveLock(Object held) {
        synchronized (held) {
            return opaque(1);
        }
    }

    static int holder(Object lock) {
        synchronized (lock) {
            return recursiveLock(lock);
        }
    }

    /** The lock is held, but not at the top of the thread's stack of locks: only the VM can enter it. */
    static int stubbedLock(Object held) {
        synchronized (held) {
            return opaque(1);
        }
    }

    static int holder(Object outer, Object inner) {
        synchronized (outer) {
            synchronized (inner) {
                return stubbedLock(outer);
            }
        }
    }

    static void fence(int i) {
        fenced = i;
    }

    static int typeTest(Object o) {
        return o instanceof String ? 1 : 0;
    }

    static int typeSwitch(CharSequence text) {
        return text.length();
    }

    static int thrower(int i) {
        if (i % 10 == 0) {
            throw new IllegalStateException();
        }
        return i;
    }

    static int catcher(int i) {
        try {
            return thrower(i);
        } catch (IllegalStateException e) {
            return -1;
        }
    }

    static void big() {
        kept = new int[1000];
    }

    static void notifies() {
        synchronized (INFLATED) {
            INFLATED.notify();
        }
    }

    static void notifiesAll() {
        synchronized (INFLATED) {
            INFLATED.notifyAll();
        }
    }

    /** Interrupted beforehand, so that it does not wait. */
    static int waits() {
        Thread.currentThread().interrupt();
        try {
            synchronized (INFLATED) {
                INFLATED.wait();
            }
        } catch (InterruptedException e) {
            return 1;
        }
        return 0;
    }

    static void store(Pair pair, Object o) {
        pair.b = o;
    }

    static int element(int[] array, int i) {
        return array[i];
    }

    static int cast(Object o) {
        return ((String) o).length();
    }

    /** Nested counted loops with a branch: its counts stay in registers. */
    static int triangle(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                if ((j & 3) == 0) {
                    s += j * i;
                } else {
                    s ^= j;
                }
            }
        }
        return s;
    }

    /** Loops from small ones, which are unrolled wholly, to those that are just too large for that. */
    static int unrolled(int s) {
        for (int j = 0; j < 16; j++) {
            s = s * 31 ^ j;
        }
        for (int j = 0; j < 21; j++) {
            s = s * 33 ^ j;
        }
        for (int j = 0; j < 27; j++) {
            s = s * 35 ^ j;
        }
        for (int j = 0; j < 35; j++) {
            s = s * 37 ^ j;
        }
        for (int j = 0; j < 45; j++) {
            s = s * 39 ^ j;
        }
        for (int j = 0; j < 58; j++) {
            s = s * 41 ^ j;
        }
        for (int j = 0; j < 75; j++) {
            s = s * 43 ^ j;
        }
        return s;
    }

    /** A loop whose end nobody knows beforehand. */
    static int collatz(int n) {
        int steps = 0;
        for (long x = n; x != 1; steps++) {
            x = (x & 1) == 0 ? x / 2 : 3 * x + 1;
        }
        return steps;
    }

    /** Goes round: the variable wraps, the limit is not reached by counting up. */
    static int wrapping(int from, int limit, int stride) {
        int steps = 0;
        for (int i = from; i < limit; i += stride) {
            steps++;
        }
        return steps;
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    private static void prepare() throws InterruptedException {
        if (SHAPES[0] == null) {
            for (int i = 0; i < SHAPES.length; i++) {
                SHAPES[i] = shape(i);
            }
            synchronized (INFLATED) {
                INFLATED.wait(1);
            }
        }
    }

    /** Nine classes: too many to inline a call for each. */
    private static Shape shape(int i) {
        return switch (i) {
            case 0 -> new Shape(1) { int area() { return 11; } public int compareTo(Shape s) { return 1; } };
            case 1 -> new Shape(2) { int area() { return 12; } public int compareTo(Shape s) { return 2; } };
            case 2 -> new Shape(3) { int area() { return 13; } public int compareTo(Shape s) { return 3; } };
            case 3 -> new Shape(4) { int area() { return 14; } public int compareTo(Shape s) { return 4; } };
            case 4 -> new Shape(5) { int area() { return 15; } public int compareTo(Shape s) { return 5; } };
            case 5 -> new Shape(6) { int area() { return 16; } public int compareTo(Shape s) { return 6; } };
            case 6 -> new Shape(7) { int area() { return 17; } public int compareTo(Shape s) { return 7; } };
            case 7 -> new Shape(8) { int area() { return 18; } public int compareTo(Shape s) { return 8; } };
            default -> new Shape(9) { int area() { return 19; } public int compareTo(Shape s) { return 9; } };
        };
    }

    public static String run() throws Exception {
        prepare();
        int s = 0;
        Pair pair = new Pair();
        int[] to = new int[64];
        EventVictims victims = new EventVictims();
        StringBuilder builder = new StringBuilder("abc");
        ATOMIC.set(0);
        for (int i = 0; i < CALLS; i++) {
            s += allocation(i) + bothAllocate(i) + bothAsk(OBJECTS[i & 7], i >> 3) + scalarReplaced(i) + sameSides(i) + arrayDuplication(INTS) + arithmetic(i) + division(i, 3 + (i & 1)) + loop(5);
            floatSink = floats(i, 3) + floatDivision(i, 7);
            doubleSink = doubles(i, 3) + doubleDivision(i, 7);
            copy(INTS, to, 40 + (i & 15));
            s += cas(i) ? 1 : 0;
            s += virtualCall(SHAPES[i % 9]) + interfaceCall(SHAPES[i % 9]) + specialCall(victims, i);
            s += casLock(new Object()) + inflatedLock(i) + holder(new Object()) + holder(new Object(), new Object());
            s += typeTest(OBJECTS[i & 7]) + typeSwitch((i & 1) == 0 ? "ab" : builder) + catcher(i);
            fence(i);
            big();
            notifies();
            notifiesAll();
            s += waits();
            store(pair, OBJECTS[i & 7]);
            s += element(INTS, i & 63) + cast(OBJECTS[(i & 1) * 3]);
        }
        for (int i = 1; i < 200; i++) {
            s += triangle(i) + unrolled(i) + collatz(i) + wrapping(Integer.MIN_VALUE, Integer.MIN_VALUE + i, 1) + wrapping(Integer.MAX_VALUE - 10 * i, Integer.MAX_VALUE - 2, 3);
        }
        kept = pair;
        return Integer.toString(s + fib(15));
    }
}
