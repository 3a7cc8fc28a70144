package proofmark.count;

/**
 * Ways that are rarely gone, kept out of the compiled code of those who call them: C2 puts no method of an exception
 * class into other methods ("exception method" in -XX:+PrintInlining). C2 of JDK 17 calls a call site hot that has run
 * a hundred times, and would otherwise put all of a sample, and of a new node, into each of a method's checks: ten times
 * the code, and a compilation of a second instead of tenths.
 */
@SuppressWarnings("serial")
final class Rarely extends Throwable {
    private Rarely() {
    }

    /** A sample is due. */
    static long sample(Context c, Frame f, long n) {
        return c.sample(f, n);
    }

    /** A thread has no seat. */
    static State state() {
        return Threads.unseated();
    }

    /** A callee is not in its first place. */
    static Node find(Node parent, int id) {
        return parent.find(id);
    }
}
