package proofmark.suite;

/**
 * Victim: a program about which a profiler that only sees safepoints and calls must be wrong.
 *
 * <p>{@link #run()} calls three small methods in turn, which are inlined into it. {@code grind} and {@code shuffle}
 * loop a known, small number of times, so that compiled code has no safepoint poll in them; {@code walk} loops until a
 * condition on its data holds, so that it polls in every round. A profiler that waits for the next poll sees
 * nearly everything in {@code walk}.
 *
 * <p>Size: 5000 rounds. Expected: 1903261029781405984, computed by an independent program. The mixing steps are
 * xorshift generators (G. Marsaglia, 2003); the trap is that of T. Mytkowicz et al., "Evaluating the Accuracy of Java
 * Profilers", PLDI 2010. The program is our own.
 */
public final class Victim extends Program {
    private static final int ROUNDS = 5000;
    private static final int GRINDS = 64;
    private static final int SHUFFLES = 36;
    private static final int WALK_MASK = 31;
    private static final long SEED = 88_172_645_463_325_252L;
    private static final long RESULT = 1_903_261_029_781_405_984L;

    @Override
    public Object run() {
        long state = SEED;
        for (int round = 0; round < ROUNDS; round++) {
            state = grind(state);
            state = shuffle(state);
            state = walk(state);
        }
        return state;
    }

    @Override
    public boolean check(Object result) {
        return result.equals(RESULT);
    }

    @Override
    public int repetitions() {
        return 10;
    }

    /** The most expensive of the three; no poll. */
    private static long grind(long start) {
        long state = start;
        for (int i = 0; i < GRINDS; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
        }
        return state;
    }

    /** Cheaper; no poll. */
    private static long shuffle(long start) {
        long state = start;
        for (int i = 0; i < SHUFFLES; i++) {
            state ^= state >>> 12;
            state ^= state << 25;
            state ^= state >>> 27;
        }
        return state;
    }

    /** About 32 steps; a poll in each. */
    private static long walk(long start) {
        long state = start;
        do {
            state ^= state << 21;
            state ^= state >>> 35;
            state ^= state << 4;
        } while ((state & WALK_MASK) != 0);
        return state;
    }
}
