package proofmark.count;

import java.io.PrintStream;
import java.util.Map;
import java.util.TreeMap;

/** The runtime in its simplest and slowest form: paths as texts in a sorted map. */
public final class Context {
    static final long GRANULARITY = Long.getLong("granularity", 1000);
    static final Map<String, Long> PROFILE = new TreeMap<>();
    static final ThreadLocal<Context> CURRENT = ThreadLocal.withInitial(() -> new Context(null));
    private static long rest;

    public long count = GRANULARITY;
    public int top = 1;
    /** Depth of the frame of the method at whose end a sample fell due; 0 if there is none. */
    int due;
    final Context outer;
    Frame first = new Frame(this, 1);

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Context::write));
    }

    Context(Context outer) {
        this.outer = outer;
    }

    public static long check(Context c, Frame f, long n) {
        return n > 0 ? n : c.sample(f.depth, n);
    }

    public static void end(Context c, Frame f, long n, int id) {
        c.count = n;
        if (n <= 0 && c.due == 0) {
            f.id = id;
            c.due = f.depth;
        }
    }

    public static void leave(Context c, Frame f, long n) {
        c.count = check(c, f, n);
        c.top = f.depth + 1;
    }

    public static void pass(Context c, Frame f, long n) {
        c.count = n;
        c.top = f.depth;
    }

    public static long back(Context c) {
        c.top = 0;
        return c.count;
    }

    long sample(int depth, long n) {
        int last = due == 0 ? depth : due;
        due = 0;
        StringBuilder path = new StringBuilder(outer == null ? "" : "initialiser ");
        for (Frame f = first; f.depth <= last; f = f.next) {
            path.append(f.id).append(' ');
        }
        long weight = 0;
        for (; n <= 0; n += GRANULARITY) {
            weight += GRANULARITY;
        }
        add(path.toString(), weight);
        return count = n;
    }

    static synchronized void add(String path, long weight) {
        PROFILE.merge(path, weight, Long::sum);
    }

    /** A context that ends: what is left of its counter counts, too. */
    void close() {
        synchronized (Context.class) {
            rest += GRANULARITY - count;
        }
        CURRENT.set(outer);
    }

    private static void write() {
        synchronized (Context.class) {
            for (Context c : Frame.ALL) {
                rest += GRANULARITY - c.count;
            }
        }
        try (PrintStream out = new PrintStream(System.getProperty("profile"))) {
            long total = rest;
            for (Map.Entry<String, Long> entry : PROFILE.entrySet()) {
                out.println(entry.getKey() + entry.getValue());
                total += entry.getValue();
            }
            out.println("total " + total);
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }
}
