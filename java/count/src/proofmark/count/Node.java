package proofmark.count;

/**
 * A calling context of an exact profile: rewritten code charges it itself and gets the caller's node as a parameter. What
 * is left of threads and initialisers that have ended is added up in such trees too.
 *
 * <p>The public static methods are what rewritten code calls in exact mode.
 */
public final class Node implements Tree {
    /** Up to this length a table has every callee in its first place, so that one look finds it. */
    private static final int DIRECT = 256;
    /** Fills gaps of tables: no method has its id. */
    private static final Node NONE = new Node(null, null, -1);
    private static final Node[] EMPTY = {NONE};

    /** Own bytecodes. */
    public long count;
    /** The root of the thread's own tree, that of itself too. */
    public final Node thread;
    /**
     * Of a thread's own root: the caller of what code that is not rewritten calls next; null while rewritten code runs.
     * Of the root of what interrupts a thread: what stood there before it. Rewritten code that catches an exception
     * sets it without a call, which could overflow the stack; so it is a field of this class, which is resolved by then.
     */
    public Node top;
    /** Samples taken here. */
    long samples;

    final Node parent;
    final int id;
    /** The first callee and its id: most contexts have no other, and need no table. */
    private Node first;
    private int firstId = -1;
    /** The other callees by their id; a power of two long. */
    private Node[] table = EMPTY;

    private Node(Node thread, Node parent, int id) {
        this.thread = thread == null ? this : thread;
        this.parent = parent;
        this.id = id;
    }

    /** The root of a tree: of what interrupts the thread with this root; null: of a tree of its own. */
    static Node root(Node thread) {
        return new Node(thread, null, 0);
    }

    /** At the start of a method: its own node. */
    public static Node child(Node parent, int id) {
        if (parent.firstId == id) {
            return parent.first;
        }
        Node[] all = parent.table;
        Node node = all[id & (all.length - 1)];
        return node.id == id ? node : Rarely.find(parent, id);
    }

    /** Before a call of a method that may not be rewritten. */
    public static void leave(Node n) {
        n.thread.top = n;
    }

    /** Where a rewritten signature leads to a method that is not. */
    public static void pass(Node parent) {
        parent.thread.top = parent;
    }

    /** After the call. */
    public static void back(Node n) {
        n.thread.top = null;
    }

    /** A wrapper was called by code that is not rewritten: the node above the method. */
    public static Node enter() {
        State state = Threads.state();
        Node top = state.root.top;
        state.root.top = null;
        return top == null ? state.interrupted() : top;
    }

    /** The wrapper is over, in whatever way. */
    public static void exit(Node parent) {
        Node thread = parent.thread;
        if (parent.parent == null && parent != thread) {
            Threads.state().resumed(parent);
            thread.top = parent.top;
        } else {
            thread.top = parent;
        }
    }

    /** A class initialiser starts: its own node. */
    public static Node initializer(int id) {
        State state = Threads.state();
        Node root = state.interrupted();
        root.top = state.root.top;
        state.root.top = null;
        return root.find(id);
    }

    /** A class initialiser is over, in whatever way. */
    public static void leaveInitializer(Node n) {
        exit(n.parent);
    }

    /** Looks behind the first places, where the caller has looked, and adds what is not there. */
    Node find(int id) {
        Node[] all = table;
        int mask = all.length - 1;
        int at = id & mask;
        for (int probes = 0; probes <= mask && all[at] != NONE; probes++) {
            if (all[at].id == id) {
                return all[at];
            }
            at = (at + 1) & mask;
        }
        Node node = new Node(thread, this, id);
        if (first == null) {
            first = node;
            firstId = id;
            return node;
        }
        for (int length = Math.max(2, all.length); ; length *= 2) {
            Node[] longer = placed(all, node, length);
            if (longer != null) {
                table = longer;
                return node;
            }
        }
    }

    /** Callees in a table of that length; null if one is not in its first place though a longer table is allowed. */
    private static Node[] placed(Node[] old, Node added, int length) {
        Node[] all = new Node[length];
        java.util.Arrays.fill(all, NONE);
        int size = 1;
        if (!place(all, added)) {
            return null;
        }
        for (Node node : old) {
            if (node != NONE && (!place(all, node) || 2 * ++size > length && length > DIRECT)) {
                return null;
            }
        }
        return all;
    }

    private static boolean place(Node[] all, Node node) {
        int mask = all.length - 1;
        int at = node.id & mask;
        if (all[at] != NONE && all.length <= DIRECT) {
            return false;
        }
        while (all[at] != NONE) {
            at = (at + 1) & mask;
        }
        all[at] = node;
        return true;
    }

    @Override
    public void each(Visitor visitor) {
        Node[] open = new Node[16];
        int[] depths = new int[16];
        int size = 0;
        Node node = this;
        int depth = -1;
        while (true) {
            Node[] all = node.table;
            for (int at = all.length - 1; at >= -1; at--) {
                Node callee = at < 0 ? node.first : all[at];
                if (callee != null && callee != NONE) {
                    if (size == open.length) {
                        Node[] more = new Node[2 * size];
                        int[] deeper = new int[2 * size];
                        System.arraycopy(open, 0, more, 0, size);
                        System.arraycopy(depths, 0, deeper, 0, size);
                        open = more;
                        depths = deeper;
                    }
                    open[size] = callee;
                    depths[size++] = depth + 1;
                }
            }
            if (size == 0) {
                return;
            }
            node = open[--size];
            depth = depths[size];
            visitor.visit(depth, node.id, node.count, node.samples);
        }
    }

    /** Adds another tree to this one. */
    void add(Tree tree) {
        Path path = new Path(this);
        tree.each(path);
    }

    private static final class Path implements Visitor {
        private Node[] path = new Node[16];

        Path(Node root) {
            path[0] = root;
        }

        @Override
        public void visit(int depth, int id, long count, long samples) {
            if (depth + 1 == path.length) {
                Node[] longer = new Node[2 * path.length];
                System.arraycopy(path, 0, longer, 0, path.length);
                path = longer;
            }
            Node mine = child(path[depth], id);
            mine.count += count;
            mine.samples += samples;
            path[depth + 1] = mine;
        }
    }
}
