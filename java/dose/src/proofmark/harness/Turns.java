package proofmark.harness;

/** A loop with nothing in it but a site: it tells how long the site's steps take on this machine, by this JVM's compilers. */
final class Turns {
    /** Passes of a call: so few that the loop is called often, and soon compiled as a whole. */
    private static final int CALL = 16;

    private static int passed;

    private Turns() {
    }

    /** Passes the loop so often. */
    static void passes(int number) {
        for (int left = number; left > 0; left -= CALL) {
            pass(Math.min(left, CALL));
        }
    }

    private static void pass(int passes) {
        for (int i = 0; i < passes; i++) {
            passed++;
        }
    }
}
