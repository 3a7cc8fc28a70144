package proofmark.suite;

/**
 * Storage: builds a tree of arrays, to keep the memory manager busy, and counts its nodes.
 *
 * <p>Size: depth 7, 4 children per inner node, leaves of 1 to 10 slots by {@link Lcg}. Expected: 5461 nodes, that is
 * 4^0 + 4^1 + ... + 4^6, counted while building and counted again in the finished tree.
 *
 * <p>Described in: the published accounts of the classic "Storage" micro benchmark (Self and Smalltalk suites).
 */
public final class Storage extends Program {
    private static final int DEPTH = 7;
    private static final int CHILDREN = 4;
    private static final int LONGEST_LEAF = 10;
    private static final int NODES = 5461;

    private int built;

    @Override
    public Object run() {
        built = 0;
        Object[] root = buildTree(DEPTH, new Lcg());
        return countNodes(root) == built ? built : -1;
    }

    @Override
    public boolean check(Object result) {
        return result.equals(NODES);
    }

    @Override
    public int repetitions() {
        return 100;
    }

    private Object[] buildTree(int depth, Lcg random) {
        built++;
        if (depth == 1) {
            return new Object[random.below(LONGEST_LEAF) + 1];
        }
        Object[] node = new Object[CHILDREN];
        for (int i = 0; i < CHILDREN; i++) {
            node[i] = buildTree(depth - 1, random);
        }
        return node;
    }

    private static int countNodes(Object[] node) {
        int nodes = 1;
        for (Object child : node) {
            if (child != null) {
                nodes += countNodes((Object[]) child);
            }
        }
        return nodes;
    }
}
