package proofmark.count;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/** Exact counting in its simplest form. */
public final class Node {
    static final ThreadLocal<Node> ROOT = ThreadLocal.withInitial(Node::ofThread);

    public long count;
    /** The root of the thread's own tree. */
    public final Node thread;
    /** Of that root: who calls next; of the root of an interruption: who would have. */
    public Node top;
    private final Map<Integer, Node> children = new TreeMap<>();
    private final Node parent;
    private final String path;

    private Node(Node thread, Node parent, String path) {
        this.thread = thread == null ? this : thread;
        this.parent = parent;
        this.path = path;
    }

    private static Node ofThread() {
        Node root = new Node(null, null, "");
        root.top = root;
        return root;
    }

    public static Node child(Node parent, int id) {
        return parent.children.computeIfAbsent(id, i -> new Node(parent.thread, parent, parent.path + i + " "));
    }

    public static void leave(Node n) {
        n.thread.top = n;
    }

    public static void pass(Node n) {
        n.thread.top = n;
    }

    public static void back(Node n) {
        n.thread.top = null;
    }

    public static Node enter() {
        Node thread = ROOT.get();
        Node top = thread.top;
        thread.top = null;
        return top == null ? new Node(thread, null, "initialiser ") : top;
    }

    public static void exit(Node n) {
        boolean own = n == n.thread;
        n.thread.top = own || n.parent != null ? n : n.top;
        if (n.parent == null) {
            charge(n);
        }
    }

    public static Node initializer(int id) {
        Node thread = ROOT.get();
        Node root = new Node(thread, null, "initialiser ");
        root.top = thread.top;
        thread.top = null;
        return child(root, id);
    }

    public static void leaveInitializer(Node n) {
        exit(n.parent);
    }

    /** Moves what a finished tree has counted into the profile. A recursion could be too deep. */
    private static void charge(Node root) {
        ArrayDeque<Node> open = new ArrayDeque<>();
        open.push(root);
        while (!open.isEmpty()) {
            Node n = open.pop();
            if (n.count > 0) {
                Context.add(n.path, n.count);
                n.count = 0;
            }
            n.children.values().forEach(open::push);
        }
    }
}
