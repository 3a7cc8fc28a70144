package proofmark.count;

import java.util.ArrayList;
import java.util.List;

/** Frames come into being when a method calls; see Context. */
public final class Frame {
    static final List<Context> ALL = new ArrayList<>();
    private static final int MOST = 20_000;

    public Frame next;
    public int id;
    public final Context context;
    final int depth;

    Frame(Context context, int depth) {
        this.context = context;
        this.depth = depth;
        next = this;
    }

    public static Frame enter() {
        Context c = Context.CURRENT.get();
        while (c.outer != null && c.outer.top != 0) {
            c.close();
            c = c.outer;
        }
        if (c.outer == null) {
            synchronized (Context.class) {
                if (!ALL.contains(c)) {
                    ALL.add(c);
                    Frame f = c.first;
                    for (int depth = 2; depth < MOST; depth++) {
                        f = f.next = new Frame(c, depth);
                    }
                }
            }
        }
        return c.top == 0 ? interruption(c) : find(c);
    }

    private static Frame find(Context c) {
        Frame f = c.first;
        while (f.depth < c.top && f.next != f) {
            f = f.next;
        }
        c.top = 0;
        return f;
    }

    private static Frame interruption(Context outer) {
        Context c = new Context(outer);
        Frame f = c.first;
        for (int depth = 2; depth < MOST; depth++) {
            f = f.next = new Frame(c, depth);
        }
        Context.CURRENT.set(c);
        c.top = 0;
        return c.first;
    }

    public static void exit(Frame f) {
        Context c = f.context;
        if (c.due != 0) {
            c.sample(c.due, c.count);
        }
        c.top = f.depth;
        if (c.outer != null && f.depth == 1) {
            c.close();
        }
    }

    public static Frame initializer(int id) {
        return interruption(Context.CURRENT.get());
    }

    public static void leaveInitializer(Frame f) {
        exit(f);
    }
}
