package proofmark.suite.havlak;

import proofmark.suite.collections.Sequence;

/** A control-flow graph that starts at block 0. */
public final class FlowGraph {
    private final Sequence<Block> blocks = new Sequence<>();

    /** How many blocks there are. */
    public int size() {
        return blocks.size();
    }

    /** Makes sure that the blocks up to {@code number} are there. */
    void create(int number) {
        while (blocks.size() <= number) {
            blocks.add(new Block(blocks.size()));
        }
    }

    void connect(int from, int to) {
        create(Math.max(from, to));
        Block source = blocks.at(from);
        Block target = blocks.at(to);
        source.successors().add(target);
        target.predecessors().add(source);
    }

    Block start() {
        return blocks.at(0);
    }
}
