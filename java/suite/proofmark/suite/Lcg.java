package proofmark.suite;

/**
 * The suite's own random numbers, the same on every machine: a 16-bit linear congruential generator,
 * {@code x = (x * 1309 + 13849) mod 65536}, seed 74755, as in Hennessy's Stanford integer benchmarks.
 */
public final class Lcg {
    private static final int SEED = 74755;
    private static final int FACTOR = 1309;
    private static final int INCREMENT = 13849;
    private static final int MASK = 0xFFFF;

    private int state = SEED;

    /** The next number, 0 to 65535. */
    public int next() {
        state = (state * FACTOR + INCREMENT) & MASK;
        return state;
    }

    /** The next number, reduced to 0 to {@code bound - 1}. */
    public int below(int bound) {
        return next() % bound;
    }
}
