package proofmark.count;

/**
 * Takes the samples of one thread. For each thread that runs counted code, and for each class
 * initialiser with a sample, one object is made with the public constructor without parameters;
 * all calls come from that thread. What the methods execute is not counted.
 */
public interface Agent {
    /**
     * Called once, before the thread's first bytecode is counted.
     *
     * @param thread null for a class initialiser, or what else the JVM calls; then the call comes with the first sample
     * @return bytecodes until the first sample, at least 1
     */
    long register(Thread thread);

    /**
     * The counter ran out.
     *
     * @param stack     method ids, the outermost first; valid during the call only
     * @param depth     how many of them there are
     * @param bytecodes executed since the sample before
     * @return bytecodes until the next sample, at least 1
     */
    long processSample(int[] stack, int depth, long bytecodes);

    /**
     * The program ends, or a profile is asked for. May be called from another thread.
     *
     * @param rest bytecodes executed since the last sample
     */
    default void report(Thread thread, long rest) {
    }
}
