package proofmark.graal.events;

import jdk.graal.compiler.core.common.cfg.CFGLoop;
import jdk.graal.compiler.core.common.type.IntegerStamp;
import jdk.graal.compiler.graph.Node;
import jdk.graal.compiler.nodes.ConstantNode;
import jdk.graal.compiler.nodes.IfNode;
import jdk.graal.compiler.nodes.LoopBeginNode;
import jdk.graal.compiler.nodes.NodeView;
import jdk.graal.compiler.nodes.ParameterNode;
import jdk.graal.compiler.nodes.PhiNode;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.ValuePhiNode;
import jdk.graal.compiler.nodes.calc.AddNode;
import jdk.graal.compiler.nodes.calc.CompareNode;
import jdk.graal.compiler.nodes.calc.IntegerBelowNode;
import jdk.graal.compiler.nodes.calc.IntegerEqualsNode;
import jdk.graal.compiler.nodes.calc.IntegerLessThanNode;
import jdk.graal.compiler.nodes.calc.SubNode;
import jdk.graal.compiler.nodes.calc.ZeroExtendNode;
import jdk.graal.compiler.nodes.cfg.HIRBlock;

/**
 * A variable of a loop with one back edge that the program itself steps by a constant. How often the
 * back edge was taken is how far it has come, divided by the stride.
 *
 * <p>A 32-bit variable of stride 1 that is compared with a limit in every iteration comes round at
 * most once, so that its distance modulo 2^32 is exact. Other strides are used only for 64 bits,
 * where nothing comes round in a lifetime.
 */
record InductionVariable(ValuePhiNode phi, long stride) {
    private static final int INT = 32;
    private static final int LONG = 64;
    private static final long LARGEST_STRIDE = 1 << 20;

    /** Null where the loop has none. */
    static InductionVariable of(LoopBeginNode loop, FlowGraph flow, CFGLoop<HIRBlock> cfgLoop) {
        for (ValuePhiNode phi : loop.valuePhis()) {
            if (phi.stamp(NodeView.DEFAULT) instanceof IntegerStamp stamp && phi.valueCount() == 2) {
                long stride = stride(phi);
                boolean counts = stride == 1 || stride == -1 || stamp.getBits() == LONG && stride != 0 && Math.abs(stride) < LARGEST_STRIDE;
                if (counts && (stamp.getBits() == INT || stamp.getBits() == LONG) && limited(phi, flow, cfgLoop)) {
                    return new InductionVariable(phi, stride);
                }
            }
        }
        return null;
    }

    private static long stride(ValuePhiNode phi) {
        ValueNode next = phi.valueAt(1);
        if (next instanceof AddNode add && add.getX() == phi && add.getY() instanceof ConstantNode step) {
            return step.asJavaConstant().asLong();
        }
        return 0;
    }

    /** Whether the loop is left when the variable, or its next value, reaches something. */
    private static boolean limited(ValuePhiNode phi, FlowGraph flow, CFGLoop<HIRBlock> loop) {
        FlowGraph.Edge back = flow.backEdges(loop).getFirst();
        for (FlowGraph.Edge exit : flow.exits(loop)) {
            HIRBlock block = flow.blocks[exit.from];
            if (block.getEndNode() instanceof IfNode test && test.condition() instanceof CompareNode compare && block.dominates(flow.blocks[back.from])) {
                boolean known = compare instanceof IntegerLessThanNode || compare instanceof IntegerBelowNode || compare instanceof IntegerEqualsNode;
                if (known && (compares(phi, compare.getX(), compare.getY(), flow, loop) || compares(phi, compare.getY(), compare.getX(), flow, loop))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean compares(ValuePhiNode phi, ValueNode value, ValueNode limit, FlowGraph flow, CFGLoop<HIRBlock> loop) {
        return (value == phi || value == phi.valueAt(1)) && fixed(limit, flow, loop);
    }

    /** Whether the value does not change inside the loop. */
    private static boolean fixed(ValueNode value, FlowGraph flow, CFGLoop<HIRBlock> loop) {
        if (value instanceof ConstantNode || value instanceof ParameterNode) {
            return true;
        }
        Node where = value instanceof PhiNode phi ? phi.merge() : value;
        HIRBlock block = value.graph().getLastSchedule().getNodeToBlockMap().get(where);
        return block != null && !flow.inside(block.getId(), loop);
    }

    /** The distance it has come since the loop was entered, 64 bits, not negative. */
    ValueNode passed(StructuredGraph graph) {
        ValueNode first = phi.valueAt(0);
        ValueNode distance = stride > 0 ? graph.addOrUnique(new SubNode(phi, first)) : graph.addOrUnique(new SubNode(first, phi));
        if (((IntegerStamp) phi.stamp(NodeView.DEFAULT)).getBits() == LONG) {
            return distance;
        }
        return graph.addOrUnique(new ZeroExtendNode(distance, INT, LONG));
    }
}
