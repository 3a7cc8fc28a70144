package proofmark.harness;

/**
 * CPU time of the program's threads: of the one that runs it and of all that it starts, not of the JVM's own, the harness's
 * or a profiler's. The agent keeps it (its library has these methods), because only there is a thread known that ends.
 */
final class AllThreads {
    private AllThreads() {
    }

    /** So far, those included that have ended, ns. */
    static native long cpuTime();

    /** From here on it is said what single threads do. */
    static native void mark();

    /** How many threads had CPU time since the mark. */
    static native int busy();

    /** CPU time since the mark of the thread that had most, ns. */
    static native long busiest();
}
