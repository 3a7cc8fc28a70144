package proofmark.count;

import java.lang.reflect.Method;

/** All threads that ran counted code. */
final class Threads {
    /** Virtual threads that have ended are added up when so many new ones have come. */
    private static final int FOLD_AFTER = 1024;
    /** The stacks of threads that have ended are given up when so many new ones have come. */
    private static final int RELEASE_AFTER = 64;

    private static final ThreadLocal<State> LOCAL = new ThreadLocal<>();
    private static final Method IS_VIRTUAL = isVirtual();
    /**
     * A few threads with their states, because asking a {@link ThreadLocal} takes longer than much of what the JDK's
     * collections call. Only a thread itself takes a seat and looks for itself, so that no order of memory matters.
     */
    private static final int SEATS = 4;
    private static final Thread[] SEATED = new Thread[SEATS];
    private static final State[] SEATED_STATES = new State[SEATS];
    /** For what runs before there is a thread object. */
    private static State boot;

    private static State[] all = new State[16];
    private static int size;
    private static int virtualSinceFold;
    private static int releaseAt = RELEASE_AFTER;
    /** Class initialisers and what else the JVM called. */
    static final Sum interruptions = new Sum();
    /** Virtual threads that have ended. */
    static final Sum ended = new Sum();

    static {
        if (Settings.ALONE) {
            Runtime.getRuntime().addShutdownHook(new Thread("proofmark count") {
                @Override
                public void run() {
                    Report.write();
                }
            });
        }
    }

    private Threads() {
    }

    /** Several threads, or runs of initialisers, added up. */
    static final class Sum {
        final Node tree = Node.root(null);
        long bytecodes;
        long samples;
        long rest;
        long lost;

        private void add(long bytecodes, long samples, long rest, long lost, Tree tree) {
            this.bytecodes += bytecodes;
            this.samples += samples;
            this.rest += rest;
            this.lost += lost;
            if (tree != null) {
                this.tree.add(tree);
            }
        }
    }

    /** The calling thread's. */
    static State state() {
        Thread thread = Thread.currentThread();
        if (Settings.JDK && thread == null) {
            return boot == null ? boot = created(null) : boot;
        }
        for (int at = 0; at < SEATS; at++) {
            if (SEATED[at] == thread) {
                return SEATED_STATES[at];
            }
        }
        return Rarely.state();
    }

    /** Of a thread that has no seat, or is new. */
    static State unseated() {
        State state = LOCAL.get();
        if (state == null) {
            Thread thread = Thread.currentThread();
            state = thread instanceof java.util.concurrent.ForkJoinWorkerThread ? known(thread) : null;
            if (state == null) {
                state = created(thread);
            }
            LOCAL.set(state);
            if (!state.virtual) {
                seat(state);
            }
        }
        return state;
    }

    /** The common pool clears the thread-locals of its workers after each task: the state of one that was here before. */
    private static synchronized State known(Thread thread) {
        for (int at = size - 1; at >= 0; at--) {
            if (all[at].thread == thread) {
                return all[at];
            }
        }
        return null;
    }

    /** Gives a thread a seat that is free or that a thread has left for ever. */
    private static synchronized void seat(State state) {
        for (int at = 0; at < SEATS; at++) {
            if (SEATED[at] == null || SEATED_STATES[at].ended()) {
                SEATED_STATES[at] = state;
                SEATED[at] = state.thread;
                return;
            }
        }
    }

    private static State created(Thread thread) {
        boolean virtual = virtual(thread);
        State state = new State(thread, virtual, thread == null ? "" : thread.getName());
        if (state.own != null) {
            state.own.register();
        }
        add(state);
        return state;
    }

    private static synchronized void add(State state) {
        if (state.virtual && ++virtualSinceFold > FOLD_AFTER) {
            fold();
        }
        if (size >= releaseAt) {
            release();
        }
        if (size == all.length) {
            State[] more = new State[2 * size];
            System.arraycopy(all, 0, more, 0, size);
            all = more;
        }
        all[size++] = state;
    }

    /** Takes their stacks from threads that have ended: 130 kB each. */
    private static void release() {
        for (int at = 0; at < size; at++) {
            Context own = all[at].own;
            if (own != null && !own.released() && all[at].ended()) {
                own.release();
            }
        }
        releaseAt = size + RELEASE_AFTER;
    }

    /** Adds the virtual threads up that have ended, and forgets them. */
    private static void fold() {
        int kept = 0;
        for (int at = 0; at < size; at++) {
            State state = all[at];
            boolean folded = state.virtual && state.ended() && state.name.isEmpty();
            if (folded && state.own == null) {
                long count = total(state.root);
                ended.add(count, 0, 0, 0, state.root);
            } else if (folded && state.own.tree() != null) {
                Context c = state.own;
                ended.add(c.bytecodes(), c.samples(), c.rest(), c.lost(), c.tree());
            } else {
                all[kept++] = state;
            }
        }
        while (size > kept) {
            all[--size] = null;
        }
        virtualSinceFold = 0;
    }

    /** What interrupted a thread is over. */
    static synchronized void interruption(long bytecodes, long samples, long rest, long lost, Tree tree) {
        interruptions.add(bytecodes, samples, rest, lost, tree);
    }

    /** The same in exact mode. */
    static void interruption(Node tree) {
        interruption(total(tree), 0, 0, 0, tree);
    }

    /** Bytecodes of a whole tree. */
    static long total(Node tree) {
        Total total = new Total();
        total.sum = tree.count;
        tree.each(total);
        return total.sum;
    }

    private static final class Total implements Tree.Visitor {
        private long sum;

        @Override
        public void visit(int depth, int id, long count, long samples) {
            sum += count;
        }
    }

    /** Those that ran until now. */
    static synchronized State[] snapshot() {
        State[] copy = new State[size];
        System.arraycopy(all, 0, copy, 0, size);
        return copy;
    }

    private static boolean virtual(Thread thread) {
        try {
            return IS_VIRTUAL != null && thread != null && (Boolean) IS_VIRTUAL.invoke(thread);
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /** Virtual threads came with JDK 21; in a JVM that is just starting there are none. */
    private static Method isVirtual() {
        if (Settings.JDK) {
            return null;
        }
        try {
            return Thread.class.getMethod("isVirtual");
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
