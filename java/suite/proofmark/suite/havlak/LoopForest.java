package proofmark.suite.havlak;

import proofmark.suite.collections.Sequence;

/** All loops that were found, under one root that stands for the whole program. */
public final class LoopForest {
    private final Loop root = new Loop(null, true);
    private final Sequence<Loop> loops = new Sequence<>();

    /** A forest with nothing but its root. */
    public LoopForest() {
        loops.add(root);
    }

    /** How many loops there are, with the root. */
    public int size() {
        return loops.size();
    }

    /** How deep the innermost loop lies; the root has depth 0. */
    public int deepest() {
        int deepest = 0;
        for (int i = 0; i < loops.size(); i++) {
            deepest = Math.max(deepest, loops.at(i).depth());
        }
        return deepest;
    }

    /** How many loops have more than one way in. */
    public int irreducible() {
        int count = 0;
        for (int i = 0; i < loops.size(); i++) {
            count += loops.at(i).isReducible() ? 0 : 1;
        }
        return count;
    }

    Loop createLoop(Block header, boolean reducible) {
        Loop loop = new Loop(header, reducible);
        loops.add(loop);
        return loop;
    }

    /** Puts loops that are in no other under the root, and sets all depths. */
    void settle() {
        loops.forEach(this::adopt);
        root.settle(0);
    }

    private void adopt(Loop loop) {
        if (loop.parent() == null && loop != root) {
            loop.setParent(root);
        }
    }
}
