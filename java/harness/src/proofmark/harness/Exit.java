package proofmark.harness;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where the workload's calls of {@code System.exit} and {@code Runtime.exit} end up: {@link Agent}
 * rewrites them, because a JVM of today has no security manager that could refuse them.
 */
public final class Exit {
    /** The status other than 0 that was last asked for; 0: none since it was last told. Whoever asks may be another thread than that of the iteration. */
    private static final AtomicInteger FAILED = new AtomicInteger();

    private Exit() {
    }

    /** Ends the iteration instead of the JVM. */
    public static void exit(int status) {
        if (status != 0) {
            FAILED.set(status);
        }
        throw new Requested(status);
    }

    /** The same for {@code runtime.exit(status)} and {@code runtime.halt(status)}. */
    public static void exit(Runtime runtime, int status) {
        exit(status);
    }

    /** The status other than 0 with which any thread has asked for the JVM's end since this was last called; else 0. */
    static int failed() {
        return FAILED.getAndSet(0);
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
