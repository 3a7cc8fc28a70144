package proofmark.count;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Writes the profile; crates/profile says how the file looks. */
public final class Report implements Tree.Visitor {
    private final FileOutputStream file;
    private final byte[] buffer = new byte[1 << 16];
    private int used;
    /** Bytes in the file. */
    private long written;
    /** Of the tree that is being written. */
    private IOException failure;

    private Report(FileOutputStream file) {
        this.file = file;
    }

    /** Writes what was counted until now. */
    public static synchronized void write() {
        File target = new File(Settings.OUTPUT);
        File unfinished = new File(Settings.OUTPUT + ".unfinished");
        try {
            try (FileOutputStream out = new FileOutputStream(unfinished)) {
                Report report = new Report(out);
                report.all();
                report.flush();
            }
            if (!unfinished.renameTo(target)) {
                throw new IOException("cannot be renamed to " + target);
            }
        } catch (IOException e) {
            System.err.println("proofmark count: the profile cannot be written to " + unfinished + ": " + e.getMessage()
                    + "; give another file");
        }
    }

    private void all() throws IOException {
        text("proofmark-count\t" + (Settings.ALONE ? 2 : 1) + "\nmode\t" + (Settings.EXACT ? "exact" : "sampled"));
        text("\ngranularity\t" + (Settings.EXACT ? 1 : Settings.GRANULARITY));
        text("\nrandom\t" + (Settings.EXACT ? 0 : Settings.RANDOM));
        text("\nseed\t" + (Settings.EXACT ? 0 : Settings.SEED));
        text("\nscope\t" + (Settings.JDK ? "jdk" : "application") + "\n");
        for (State state : Threads.snapshot()) {
            thread(state);
        }
        for (State state : Threads.snapshot()) {
            interruptions(state);
        }
        synchronized (Threads.class) {
            sum("initialisers", Threads.interruptions);
            sum("virtual", Threads.ended);
        }
        if (Settings.ALONE) {
            methods();
            flush();
            text("end\t" + written + "\n");
        }
    }

    private void thread(State state) throws IOException {
        Context c = state.own;
        if (c == null) {
            head(state, Threads.total(state.root), 0, 0, 0);
            tree(state.root);
            return;
        }
        head(state, c.bytecodes(), c.samples(), c.rest(), c.lost());
        if (c.tree() != null) {
            tree(c.tree());
        } else {
            c.agent().report(state.thread, c.rest());
        }
    }

    /** What interrupts a thread while the program ends: the initialiser that calls System.exit. */
    private void interruptions(State state) throws IOException {
        for (Context c = state.current; c != null && c != state.own; c = c.outer) {
            row("initialisers\tended\t", c.bytecodes(), c.samples(), c.rest(), c.lost(), "");
            tree(c.tree());
        }
        for (State.Interruption one = state.interruption; one != null; one = one.next) {
            row("initialisers\tended\t", Threads.total(one.root), 0, 0, 0, "");
            tree(one.root);
        }
    }

    private void head(State state, long bytecodes, long samples, long rest, long lost) throws IOException {
        String kind = state.virtual ? "virtual" : "platform";
        row(kind + (state.ended() ? "\tended\t" : "\trunning\t"), bytecodes, samples, rest, lost, state.name);
    }

    private void row(String kind, long bytecodes, long samples, long rest, long lost, String name) throws IOException {
        text("thread\t" + kind + bytecodes + "\t" + samples + "\t" + rest + "\t" + lost + "\t" + escaped(name) + "\n");
    }

    private void sum(String kind, Threads.Sum sum) throws IOException {
        row(kind + "\tended\t", sum.bytecodes, sum.samples, sum.rest, sum.lost, "");
        tree(sum.tree);
    }

    private void tree(Tree root) throws IOException {
        if (root == null) {
            return;
        }
        failure = null;
        root.each(this);
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void visit(int depth, int id, long count, long samples) {
        try {
            text(depth + "\t" + id + "\t" + count + "\t" + samples + "\n");
        } catch (IOException e) {
            failure = e;
        }
    }

    /** Of a program that was rewritten ahead of time; else the JVMTI agent knows them. */
    private void methods() throws IOException {
        try (InputStream names = Report.class.getResourceAsStream("methods")) {
            if (names == null) {
                throw new IOException("the names of methods are missing in the rewritten jar");
            }
            byte[] part = new byte[1 << 13];
            for (int length; (length = names.read(part)) > 0; ) {
                flush();
                put(part, length);
            }
        }
    }

    private static String escaped(String name) {
        return name.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r");
    }

    private void text(String text) throws IOException {
        byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        if (bytes.length > buffer.length - used) {
            flush();
        }
        if (bytes.length > buffer.length) {
            put(bytes, bytes.length);
            return;
        }
        System.arraycopy(bytes, 0, buffer, used, bytes.length);
        used += bytes.length;
    }

    private void flush() throws IOException {
        put(buffer, used);
        used = 0;
    }

    private void put(byte[] bytes, int length) throws IOException {
        file.write(bytes, 0, length);
        written += length;
    }
}
