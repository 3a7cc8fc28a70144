/**
 * {@code walk} follows a ring of numbers in random order that is larger than the caches next to the processor. Each number
 * is read by the getter {@code after}, one load that is inlined; what {@code walk} adds to it is a few cycles.
 *
 * <p>Truth: the time is spent waiting for the getter's load, for with a ring of 1 KB it is gone. A sample that lands on the
 * instruction behind the load, or a position that the load lost when it was inlined, charges it to {@code walk}.
 */
public final class Getter implements Clock.Victim {
    private static final int STEPS = 60_000;
    private static final Getter LARGE = new Getter(1 << 21);
    private static final Getter SMALL = new Getter(1 << 8);
    private static Getter ring = LARGE;
    private final int[] next;

    /** One cycle through all numbers (S. Sattolo, 1986). */
    private Getter(int length) {
        next = new int[length];
        for (int i = 0; i < length; i++) {
            next[i] = i;
        }
        long seed = 88_172_645_463_325_252L;
        for (int last = length - 1; last > 0; last--) {
            seed = seed * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
            int other = (int) ((seed >>> 33) % last);
            int moved = next[last];
            next[last] = next[other];
            next[other] = moved;
        }
    }

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            Clock.tell(LARGE, "Getter.after", "");
        } else {
            System.out.println(LARGE.run());
        }
    }

    @Override
    public void set(boolean whole) {
        ring = whole ? LARGE : SMALL;
    }

    @Override
    public long run() {
        return walk(ring);
    }

    private static long walk(Getter ring) {
        int at = 0;
        long sum = 0;
        for (int step = 0; step < STEPS; step++) {
            at = ring.after(at);
            sum = 31 * sum + at;
        }
        return sum;
    }

    private int after(int at) {
        return next[at];
    }
}
