package proofmark.count;

/**
 * The standard agent: a calling-context tree. Of the next sample's stack only what differs from the
 * last one's is looked at; and a stack that was seen before is not looked up frame by frame, which
 * would miss the processor's caches again and again, but found at once ({@link Leaves}).
 */
final class CallTree implements Agent {
    final Node root;
    private final Leaves leaves = new Leaves();
    /** The last sample's stack, and two hash values of each of its prefixes. */
    private int[] last = new int[64];
    private long[] first = new long[64];
    private long[] second = new long[64];
    private int length;
    /** Nodes of the last sample's stack, as far as they are known. */
    private Node[] path = new Node[64];
    private int known;
    private long random;

    CallTree() {
        root = Node.root(null);
    }

    @Override
    public long register(Thread thread) {
        String name = thread == null ? "" : thread.getName();
        random = Settings.SEED * 0x9E3779B97F4A7C15L + name.hashCode();
        return next();
    }

    /** A call in here may overflow the stack: whatever is kept is right after each of them. */
    @Override
    public long processSample(int[] stack, int depth, long bytecodes) {
        if (last.length < depth) {
            grow(2 * depth);
        }
        differ(stack, depth);
        Node leaf = depth == 0 ? root : leaf(depth);
        long next = next();
        leaf.count += bytecodes;
        leaf.samples++;
        return next;
    }

    private void grow(int size) {
        first = java.util.Arrays.copyOf(first, size);
        second = java.util.Arrays.copyOf(second, size);
        path = java.util.Arrays.copyOf(path, size);
        last = java.util.Arrays.copyOf(last, size);
    }

    /** Takes over the part of the stack that differs from the last one. */
    private void differ(int[] stack, int depth) {
        int at = 0;
        for (int both = Math.min(depth, length); at < both && last[at] == stack[at]; at++) {
        }
        known = Math.min(known, at);
        long a = at == 0 ? 0 : first[at - 1];
        long b = at == 0 ? 0 : second[at - 1];
        for (; at < depth; at++) {
            int id = stack[at];
            // Multiplication by odd numbers and shifted sums lose nothing (SplitMix64's and Murmur's constants).
            a = (a + id + 1) * 0x9E3779B97F4A7C15L;
            a ^= a >>> 29;
            b = (b ^ id) * 0xFF51AFD7ED558CCDL;
            b ^= b >>> 32;
            last[at] = id;
            first[at] = a;
            second[at] = b;
        }
        length = depth;
    }

    private Node leaf(int depth) {
        long a = first[depth - 1];
        long b = second[depth - 1];
        Node leaf = leaves.get(a, b);
        if (leaf == null) {
            leaf = walk(depth);
            leaves.put(a, b, leaf);
        }
        return leaf;
    }

    private Node walk(int depth) {
        int at = known;
        for (Node node = at == 0 ? root : path[at - 1]; at < depth; at++) {
            node = Node.child(node, last[at]);
            path[at] = node;
        }
        known = depth;
        return path[depth - 1];
    }

    private long next() {
        if (Settings.RANDOM <= 1) {
            return Settings.GRANULARITY;
        }
        // SplitMix64: every thread has its own row of numbers, whatever the others do.
        random += 0x9E3779B97F4A7C15L;
        long z = random;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return Settings.GRANULARITY + ((z ^ (z >>> 31)) >>> 1) % Settings.RANDOM;
    }
}
