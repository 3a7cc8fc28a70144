package proofmark.count;

/**
 * Nodes by two hash values of their stacks; a new one takes the place of an older one. Two stacks with both values
 * alike would be taken for one: with two million contexts that happens in one of 10<sup>26</sup> programs.
 */
final class Leaves {
    /** Most places: 1.3 MB. */
    private static final int MOST = 1 << 16;

    private long[] keys = new long[2 * 16];
    private Node[] nodes = new Node[16];
    /** Added since the table became longer. */
    private int added;

    /** Null if it is not here. */
    Node get(long a, long b) {
        int at = (int) a & nodes.length - 1;
        return keys[2 * at] == a && keys[2 * at + 1] == b ? nodes[at] : null;
    }

    void put(long a, long b, Node node) {
        if (2 * ++added > nodes.length && nodes.length < MOST) {
            lengthen();
        }
        place(keys, nodes, a, b, node);
    }

    private void lengthen() {
        Node[] longer = new Node[4 * nodes.length];
        long[] wider = new long[2 * longer.length];
        for (int at = 0; at < nodes.length; at++) {
            if (nodes[at] != null) {
                place(wider, longer, keys[2 * at], keys[2 * at + 1], nodes[at]);
            }
        }
        added = 0;
        keys = wider;
        nodes = longer;
    }

    private static void place(long[] keys, Node[] nodes, long a, long b, Node node) {
        int at = (int) a & nodes.length - 1;
        keys[2 * at] = a;
        keys[2 * at + 1] = b;
        nodes[at] = node;
    }
}
