package proofmark.suite.trouble;

/** The work that the troublesome programs do between their troubles: about 10 ms of deterministic arithmetic. */
final class Load {
    /** What {@code work(1)} returns, computed by an independent program. */
    static final long RESULT = 3_774_063_795_443_774_191L;

    private static final int STEPS = 5_000_000;

    private Load() {}

    /** Does the work; the result is the same every time for the same seed. */
    static long work(long seed) {
        return work(seed, STEPS);
    }

    /** The same with a chosen number of steps. */
    static long work(long seed, int steps) {
        long state = seed;
        for (int i = 0; i < steps; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
        }
        return state;
    }
}
