package proofmark.suite.havlak;

import proofmark.suite.collections.Sequence;

/** A loop: its own blocks, and the loops inside it. */
final class Loop {
    private final boolean reducible;
    private final Sequence<Block> blocks = new Sequence<>();
    private final Sequence<Loop> children = new Sequence<>();
    private Loop parent;
    private int depth;

    /** A loop with its header, which is null for the root. */
    Loop(Block header, boolean reducible) {
        this.reducible = reducible;
        if (header != null) {
            blocks.add(header);
        }
    }

    boolean isReducible() {
        return reducible;
    }

    void add(Block block) {
        blocks.add(block);
    }

    Loop parent() {
        return parent;
    }

    void setParent(Loop newParent) {
        parent = newParent;
        newParent.children.add(this);
    }

    int depth() {
        return depth;
    }

    /** Sets the depth of this loop and of all inside it. */
    void settle(int newDepth) {
        depth = newDepth;
        children.forEach(child -> child.settle(newDepth + 1));
    }
}
