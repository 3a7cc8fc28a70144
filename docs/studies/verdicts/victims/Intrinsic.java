/**
 * The time is in {@code Math.sqrt}, which the JVM replaces by one instruction, an intrinsic. It has no frame of its own: it
 * belongs to {@code roots}, which calls it and is inlined into the loop of {@code run}.
 *
 * <p>Truth: the time is that of {@code roots} (or of {@code Math.sqrt}, if a profiler shows it), for without its turns it is
 * gone. No dose can be put into {@code Math.sqrt} itself: that must be said, not judged.
 */
public final class Intrinsic implements Clock.Victim {
    private static final int ROUNDS = 15_000;
    private static final int TURNS = 16;
    private static int turns = TURNS;

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            Clock.tell(new Intrinsic(), "Intrinsic.roots java.lang.Math.sqrt", "");
        } else {
            System.out.println(new Intrinsic().run());
        }
    }

    @Override
    public void set(boolean whole) {
        turns = whole ? TURNS : 0;
    }

    @Override
    public long run() {
        double x = 2;
        for (int round = 0; round < ROUNDS; round++) {
            x = roots(x) + (round & 7);
        }
        return Double.doubleToLongBits(x);
    }

    private static double roots(double start) {
        double x = start;
        for (int i = 0, n = turns & 31; i < n; i++) {
            x = Math.sqrt(x + i);
        }
        return x;
    }
}
