package proofmark.harness;

/**
 * Where the workload's calls of {@code System.exit} and {@code Runtime.exit} end up: {@link Agent}
 * rewrites them, because a JVM of today has no security manager that could refuse them.
 */
public final class Exit {
    private Exit() {
    }

    /** Ends the iteration instead of the JVM. */
    public static void exit(int status) {
        throw new Requested(status);
    }

    /** The same for {@code runtime.exit(status)} and {@code runtime.halt(status)}. */
    public static void exit(Runtime runtime, int status) {
        throw new Requested(status);
    }

    /** An error, so that programs which catch exceptions do not catch it by accident. */
    @SuppressWarnings("serial")
    static final class Requested extends Error {
        final int status;

        Requested(int status) {
            super("exit with status " + status, null, false, false);
            this.status = status;
        }

        @Override
        public String toString() {
            return "the program asked for the JVM's end, status " + status;
        }
    }
}
