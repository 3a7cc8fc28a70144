package proofmark.count;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/** Exact counting in its simplest form. */
public final class Node {
    static final ThreadLocal<Node> TOP = ThreadLocal.withInitial(() -> new Node(null, ""));

    public long count;
    private final Map<Integer, Node> children = new TreeMap<>();
    private final Node parent;
    private final String path;
    /** What a root of an interruption interrupts. */
    private Node before;

    private Node(Node parent, String path) {
        this.parent = parent;
        this.path = path;
    }

    public static Node child(Node parent, int id) {
        return parent.children.computeIfAbsent(id, i -> new Node(parent, parent.path + i + " "));
    }

    public static void leave(Node n) {
        TOP.set(n);
    }

    public static void pass(Node n) {
        TOP.set(n);
    }

    public static void back(Node n) {
        TOP.set(null);
    }

    public static Node enter() {
        Node top = TOP.get();
        TOP.set(null);
        return top == null ? new Node(null, "initialiser ") : top;
    }

    public static void exit(Node n) {
        TOP.set(n);
        if (n.parent == null) {
            charge(n);
            if (n.path.startsWith("i")) {
                TOP.set(n.before);
            }
        }
    }

    public static Node initializer(int id) {
        Node root = new Node(null, "initialiser ");
        root.before = TOP.get();
        TOP.set(null);
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
