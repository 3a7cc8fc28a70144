package proofmark.count;

/**
 * An entry of a thread's stack of methods, made beforehand. A method gets its frame from its caller
 * and hands the next one to what it calls, so that the stack is right again whenever a method ends,
 * however it ends. The last frame is its own next: deeper methods overwrite it, and nothing throws.
 */
public final class Frame {
    static final int FEW = 256;
    static final int MANY = 4096;
    static final int MOST = 1 << 17;

    /** The frame for methods that this one calls. */
    public Frame next;
    /** 1 for the outermost method. */
    public final int depth;
    /** The method, where it calls others. */
    public int id;
    /** Whose stack it is. */
    public final Context context;

    private Frame(Context context, int depth) {
        this.context = context;
        this.depth = depth;
    }

    /** A wrapper was called by code that is not rewritten. */
    public static Frame enter() {
        Context c = Threads.state().current;
        // A constructor that ended by an exception did not tell; its caller has gone on since.
        while (c.outer != null && c.outer.top != 0) {
            c.close();
            c = c.outer;
        }
        if (c.top == 0) {
            c = c.open();
        }
        int top = c.top;
        c.top = 0;
        c.extend(top);
        Frame[] frames = c.frames;
        return top < frames.length ? frames[top] : frames[frames.length - 1];
    }

    /** The wrapper is over, in whatever way. */
    public static void exit(Frame f) {
        Context c = f.context;
        c.finished();
        if (f.depth == 1 && c.outer != null) {
            c.close();
        } else {
            c.top = f.depth;
        }
    }

    /** A class initialiser starts. */
    public static Frame initializer(int id) {
        Context c = Threads.state().current.open();
        c.top = 0;
        Frame f = c.frames[1];
        f.id = id;
        return f;
    }

    /** A class initialiser is over, in whatever way. */
    public static void leaveInitializer(Frame f) {
        f.context.finished();
        f.context.close();
    }

    static Frame[] chain(Context context, int length) {
        return filled(context, new Frame[length], 0);
    }

    static Frame[] extended(Context context, Frame[] frames) {
        Frame[] longer = new Frame[2 * frames.length];
        System.arraycopy(frames, 0, longer, 0, frames.length);
        return filled(context, longer, frames.length);
    }

    /** The link from the old last frame comes last: only then does anybody see the new ones. */
    private static Frame[] filled(Context context, Frame[] frames, int from) {
        for (int at = from; at < frames.length; at++) {
            frames[at] = new Frame(context, at);
        }
        for (int at = from; at < frames.length; at++) {
            frames[at].next = frames[Math.min(at + 1, frames.length - 1)];
        }
        if (from > 0) {
            frames[from - 1].next = frames[from];
        }
        return frames;
    }
}
