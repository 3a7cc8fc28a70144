/**
 * {@code spin} loops until its chain of numbers ends, which the compiler cannot know, so that there is a safepoint poll at the
 * loop's back edge. The work is in {@code grind}, inlined into it, whose own loop makes fewer than 32 turns and has no poll.
 *
 * <p>Truth: the time is {@code grind}'s, for without its turns it is gone; {@code spin} makes as many rounds either way. A
 * profiler that only knows safepoints charges all of it to the loop around.
 */
public final class LoopTop implements Clock.Victim {
    private static final int LAPS = 5;
    private static final int TURNS = 24;
    private static final int[] NEXT = chain();
    private static int turns = TURNS;

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            Clock.tell(new LoopTop(), "LoopTop.grind", "");
        } else {
            System.out.println(new LoopTop().run());
        }
    }

    private static int[] chain() {
        int[] next = new int[4_096];
        for (int i = 1; i < next.length; i++) {
            next[i] = i - 1;
        }
        return next;
    }

    @Override
    public void set(boolean whole) {
        turns = whole ? TURNS : 0;
    }

    @Override
    public long run() {
        long state = 1;
        for (int lap = 0; lap < LAPS; lap++) {
            state = spin(state);
        }
        return state;
    }

    private static long spin(long start) {
        long state = start;
        for (int at = NEXT.length - 1; at != 0; at = NEXT[at]) {
            state = grind(state) + at;
        }
        return state;
    }

    private static long grind(long start) {
        long x = start;
        for (int i = 0, n = turns & 31; i < n; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }
}
