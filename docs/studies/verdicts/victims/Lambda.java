import java.util.function.LongUnaryOperator;

/**
 * The time is in the body of a lambda, which is a method of this class ({@code lambda$mixing$0}) behind one that the JVM
 * makes itself. All of it is inlined into the loop of {@code repeat}. The body's own loop makes fewer than 32 turns, so
 * that compiled code has no safepoint poll in it; the loop around it has one.
 *
 * <p>Truth: the body's, for without its turns that time is gone. A profiler that only knows safepoints finds the poll of
 * {@code repeat}.
 */
public final class Lambda implements Clock.Victim {
    private static final int ROUNDS = 20_000;
    private static final int TURNS = 24;
    private static int turns = TURNS;

    /** The only lambda of this class: its number is part of its name. */
    private static LongUnaryOperator mixing() {
        return start -> {
            long x = start;
            for (int i = 0, n = turns & 31; i < n; i++) {
                x ^= x << 13;
                x ^= x >>> 7;
                x ^= x << 17;
            }
            return x;
        };
    }

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            Clock.tell(new Lambda(), "Lambda.lambda$mixing$0", "");
        } else {
            System.out.println(new Lambda().run());
        }
    }

    @Override
    public void set(boolean whole) {
        turns = whole ? TURNS : 0;
    }

    @Override
    public long run() {
        return repeat(mixing());
    }

    private static long repeat(LongUnaryOperator step) {
        long state = 1;
        for (int round = 0; round < ROUNDS; round++) {
            state = step.applyAsLong(state) + round;
        }
        return state;
    }
}
