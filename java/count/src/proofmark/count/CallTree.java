package proofmark.count;

/**
 * The standard agent: a calling-context tree. The path of the last sample is kept; of the next one
 * only what differs is looked up.
 */
final class CallTree implements Agent {
    final Node root;
    private Node[] path = new Node[64];
    private int length;
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

    @Override
    public long processSample(int[] stack, int depth, long bytecodes) {
        if (path.length < depth) {
            Node[] longer = new Node[2 * depth];
            System.arraycopy(path, 0, longer, 0, length);
            path = longer;
        }
        int at = 0;
        for (int common = Math.min(depth, length); at < common && path[at].id == stack[at]; at++) {
        }
        for (Node node = at == 0 ? root : path[at - 1]; at < depth; at++) {
            node = Node.child(node, stack[at]);
            path[at] = node;
        }
        length = depth;
        Node leaf = depth == 0 ? root : path[depth - 1];
        long next = next();
        leaf.count += bytecodes;
        leaf.samples++;
        return next;
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
