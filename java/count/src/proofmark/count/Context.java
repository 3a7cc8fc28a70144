package proofmark.count;

/**
 * Counter and stack of one thread, or of one run of a class initialiser. Rewritten code holds the
 * counter in a local variable and writes it back to {@link #count} where others may look; the
 * stack is a list of {@link Frame}s, of which every method gets its own from its caller.
 *
 * <p>The static methods are what rewritten code calls; crates/rewrite knows names and types.
 */
public final class Context {
    /** Bytecodes until the next sample; a sample is due at 0 or below. */
    public long count;
    /**
     * Depth of the frame that a method called from code that is not rewritten shall use; 0 while
     * rewritten code runs: whoever calls then is the JVM itself.
     */
    public int top;
    /** Depth of the frame of the method that ended with a sample due; 0 if none did. */
    public int due;

    /** What belongs to the thread. */
    final State state;
    /** The context that this one interrupts; null for the thread's own. */
    final Context outer;
    /** Frames by depth; the first is never used by a method. */
    Frame[] frames;

    /** {@link #top} of the outer context before it was interrupted. */
    private int outerTop;
    /** The context for what interrupts this one, kept for the next time. */
    private Context inner;
    /** The agent; made at the first sample for what interrupts a thread. */
    private Agent agent;
    /** Distance that ends with the next sample. */
    private long distance;
    private long sampled;
    private long samples;
    private long lost;
    private int[] ids = new int[64];

    Context(State state, Context outer) {
        this.state = state;
        this.outer = outer;
        frames = Frame.chain(this, state.virtual ? Frame.FEW : Frame.MANY);
    }

    /** Before a call with frame, context and counter. */
    public static long check(Context c, Frame f, long n) {
        return n > 0 ? n : Rarely.sample(c, f, n);
    }

    /**
     * At the end of a method. The sample that is due is taken at the caller's next check, until when nobody overwrites
     * the frame: a call of {@link #sample} here would cost every caller what it keeps in registers.
     */
    public static void end(Context c, Frame f, long n, int id) {
        c.count = n;
        if (n <= 0 && c.due == 0) {
            f.id = id;
            c.due = f.depth;
        }
    }

    /** Before a call of a method that may not be rewritten. */
    public static void leave(Context c, Frame f, long n) {
        if (n <= 0) {
            n = Rarely.sample(c, f, n);
        }
        c.count = n;
        c.top = f.depth + 1;
    }

    /** Where a rewritten signature leads to a method that is not: the frame is handed on. */
    public static void pass(Context c, Frame f, long n) {
        c.count = n;
        c.top = f.depth;
    }

    /** After the call. Where an exception is caught, rewritten code does the same without a call, which could overflow the stack. */
    public static long back(Context c) {
        c.top = 0;
        return c.count;
    }

    /** Takes the samples that are due, in the method that ended with them, else with {@code f} on top of the stack. */
    long sample(Frame f, long n) {
        return sampleAt(due == 0 ? f.depth : due, n);
    }

    private long sampleAt(int depth, long n) {
        collect(depth);
        due = 0;
        boolean cut = frames[depth].next == frames[depth];
        if (agent == null) {
            agent = Agents.create();
            // For no thread: which one comes first must not matter. The distance that ended was the settings'.
            agent.register(null);
        }
        do {
            long ended = distance;
            // Nothing is changed before the stack can no longer overflow.
            long next = Math.max(1, agent.processSample(ids, depth, ended));
            samples++;
            sampled += ended;
            if (cut) {
                lost += ended;
            }
            distance = next;
            n += next;
            count = n;
        } while (n <= 0);
        extend(depth);
        return n;
    }

    private void collect(int depth) {
        if (ids.length < depth) {
            ids = new int[2 * depth];
        }
        Frame[] all = frames;
        int[] into = ids;
        for (int at = 1; at <= depth; at++) {
            into[at - 1] = all[at].id;
        }
    }

    /** Makes the stack longer when half of it is used; the frames that are in use stay. */
    void extend(int depth) {
        if (2 * depth >= frames.length && frames.length < Frame.MOST) {
            frames = Frame.extended(this, frames);
        }
    }

    /** A method that was called by code that is not rewritten is over. */
    void finished() {
        if (due != 0) {
            sampleAt(due, count);
        }
    }

    /** A thread's own context starts. */
    void register() {
        agent = Agents.create();
        distance = Math.max(1, agent.register(state.thread));
        count = distance;
        top = 1;
    }

    /** A context of its own for an initialiser, or what else the JVM calls; the thread's current one until it is closed. */
    Context open() {
        if (inner == null) {
            inner = new Context(state, this);
        }
        Context c = inner;
        c.agent = null;
        c.distance = Settings.GRANULARITY;
        c.count = c.distance;
        c.sampled = 0;
        c.samples = 0;
        c.lost = 0;
        c.due = 0;
        c.top = 1;
        c.outerTop = top;
        // Not 0 only while code that is not rewritten runs for this context.
        top = 0;
        state.current = c;
        return c;
    }

    /** The end of what {@link #open} began. */
    void close() {
        Threads.interruption(bytecodes(), samples, rest(), lost, tree());
        outer.top = outerTop;
        state.current = outer;
    }

    /** Bytecodes executed. */
    long bytecodes() {
        return sampled + rest();
    }

    /** Bytecodes since the last sample; not exact while the thread runs. */
    long rest() {
        return Math.max(0, distance - count);
    }

    /** The thread has ended: what it counted stays, its stack goes. */
    void release() {
        frames = null;
        ids = null;
        inner = null;
    }

    boolean released() {
        return frames == null;
    }

    long samples() {
        return samples;
    }

    long lost() {
        return lost;
    }

    Agent agent() {
        return agent;
    }

    /** The calling-context tree; null if another agent takes the samples or there was none. */
    Tree tree() {
        return agent instanceof CallTree tree ? tree.contexts : null;
    }
}
