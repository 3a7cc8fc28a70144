package proofmark.graal;

import java.util.List;

import jdk.graal.compiler.core.common.cfg.BasicBlock;
import jdk.graal.compiler.core.common.cfg.BlockMap;
import jdk.graal.compiler.graph.Node;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.cfg.ControlFlowGraph;

/**
 * What the compiler itself believes a block to cost: its own estimate of the cycles of every node, in
 * the schedule from which machine code was made. Graal decides by these numbers what is worth
 * duplicating. Nothing of Proofmark rests on them; they are told so that they can be compared with
 * measured times. Callees and what the compiler has no estimate for (runtime calls) count nothing.
 */
final class CycleEstimates {
    /** Cycles of a block of a graph whose schedule is not known any more. */
    static final int UNKNOWN = -1;

    private final BlockMap<List<Node>> nodes;

    /** Of the graph that has these blocks. */
    CycleEstimates(ControlFlowGraph cfg) {
        StructuredGraph.ScheduleResult schedule = cfg.graph.getLastSchedule();
        nodes = schedule != null && schedule.getCFG() == cfg ? schedule.getBlockToNodesMap() : null;
    }

    /** Cycles per execution. */
    int of(BasicBlock<?> block) {
        List<Node> own = nodes == null ? null : nodes.get(block);
        if (own == null) {
            return UNKNOWN;
        }
        int cycles = 0;
        for (Node node : own) {
            cycles += node.estimatedNodeCycles().value;
        }
        return cycles;
    }
}
