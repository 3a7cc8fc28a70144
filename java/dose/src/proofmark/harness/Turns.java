package proofmark.harness;

/** A loop with nothing in it but a site: it tells how long the site's steps take on this machine, by this JVM's compilers. */
final class Turns {
    private static int passed;

    private Turns() {
    }

    /** Passes the loop so often. */
    static void pass(int passes) {
        for (int i = 0; i < passes; i++) {
            passed++;
        }
    }
}
