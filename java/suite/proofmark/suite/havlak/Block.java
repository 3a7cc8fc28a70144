package proofmark.suite.havlak;

import proofmark.suite.collections.Sequence;

/** A basic block of a control-flow graph. */
final class Block {
    private final int number;
    private final Sequence<Block> predecessors = new Sequence<>();
    private final Sequence<Block> successors = new Sequence<>();

    Block(int number) {
        this.number = number;
    }

    Sequence<Block> predecessors() {
        return predecessors;
    }

    Sequence<Block> successors() {
        return successors;
    }

    /** Equal numbers mean equal blocks within one graph; the number keeps hash tables the same from run to run. */
    @Override
    public int hashCode() {
        return number;
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }
}
