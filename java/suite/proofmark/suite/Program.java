package proofmark.suite;

/**
 * A deterministic, single-threaded program that knows its own right answer.
 *
 * <p>A workload is a number of iterations of one program; an iteration is {@link #repetitions()} runs, chosen so
 * that a warmed-up iteration takes about 10 to 20 ms. Every run starts from fresh state.
 */
public abstract class Program {
    /** Does the work once, from fresh state, and returns what was computed. */
    public abstract Object run();

    /** Whether {@code result}, returned by {@link #run()}, is the known right answer. */
    public abstract boolean check(Object result);

    /** How many runs make up one iteration. */
    public abstract int repetitions();

    /** One iteration: {@link #repetitions()} runs, each checked; false when any result is wrong. */
    public final boolean iterate() {
        boolean allRight = true;
        for (int i = repetitions(); i > 0; i--) {
            if (!check(run())) {
                allRight = false;
            }
        }
        return allRight;
    }
}
