/**
 * {@code never} is called by nobody who is called. {@code early} is called 20,000 times when the class is initialised, at
 * the place where iterations only call {@code work}, so that it stands in the compiled code right beside it, and never again.
 *
 * <p>Truth: {@code work} takes the time, for without its turns it is gone; {@code never} and {@code early} take none, because they are
 * not executed. Nobody may report time there, and no dose can be put there: that must be said, not judged.
 */
public final class Never implements Clock.Victim {
    private static final int ROUNDS = 20_000;
    private static final int TURNS = 24;
    private static int turns = TURNS;
    private static final long BEGIN = begin();

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            Clock.tell(new Never(), "Never.work", "Never.never Never.early");
        } else {
            System.out.println(new Never().run());
        }
    }

    private static long begin() {
        long state = 1;
        for (int i = 0; i < 2 * ROUNDS; i++) {
            state = step(i & 1, state + i);
        }
        return state;
    }

    @Override
    public void set(boolean whole) {
        turns = whole ? TURNS : 0;
    }

    @Override
    public long run() {
        long state = BEGIN;
        for (int round = 0; round < ROUNDS; round++) {
            state = step(0, state + round);
        }
        return state;
    }

    private static long step(int kind, long state) {
        if (kind == 0) {
            return work(state);
        }
        return kind == 1 ? early(state) : never(state);
    }

    private static long work(long start) {
        long x = start;
        for (int i = 0, n = turns & 31; i < n; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    private static long early(long start) {
        long x = start;
        for (int i = 0, n = turns & 31; i < n; i++) {
            x ^= x >>> 12;
            x ^= x << 25;
            x ^= x >>> 27;
        }
        return x;
    }

    private static long never(long start) {
        long x = start;
        for (int i = 0, n = turns & 31; i < n; i++) {
            x ^= x << 21;
            x ^= x >>> 35;
            x ^= x << 4;
        }
        return x;
    }
}
