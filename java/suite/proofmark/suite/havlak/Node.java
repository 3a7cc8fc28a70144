package proofmark.suite.havlak;

import proofmark.suite.collections.Sequence;

/** A block during the search: its place in the depth-first tree, and the loop header it was merged into. */
final class Node {
    private final Block block;
    private final int first;
    private int last;
    private Node mergedInto = this;
    private Loop loop;
    private final Sequence<Node> backEdges = new Sequence<>();
    private final Sequence<Node> otherEdges = new Sequence<>();

    /** A node with its number in depth-first order. */
    Node(Block block, int first) {
        this.block = block;
        this.first = first;
    }

    Block block() {
        return block;
    }

    void setLastDescendant(int number) {
        last = number;
    }

    boolean isAncestorOf(Node other) {
        return first <= other.first && other.first <= last;
    }

    /** Sources of edges to this node that come from below it in the tree. */
    Sequence<Node> backEdges() {
        return backEdges;
    }

    /** Sources of the other edges to this node. */
    Sequence<Node> otherEdges() {
        return otherEdges;
    }

    void addOtherEdge(Node source) {
        if (!otherEdges.contains(source)) {
            otherEdges.add(source);
        }
    }

    /** The header of the outermost loop found so far around this node, or itself; shortens the way there. */
    Node find() {
        Node representative = this;
        while (representative.mergedInto != representative) {
            representative = representative.mergedInto;
        }
        Node node = this;
        while (node != representative) {
            Node next = node.mergedInto;
            node.mergedInto = representative;
            node = next;
        }
        return representative;
    }

    void mergeInto(Node header) {
        mergedInto = header;
    }

    /** The loop whose header this is, or null. */
    Loop loop() {
        return loop;
    }

    void setLoop(Loop newLoop) {
        loop = newLoop;
    }
}
