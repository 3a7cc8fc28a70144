package proofmark.graal.events;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import jdk.graal.compiler.core.common.cfg.CFGLoop;
import jdk.graal.compiler.core.common.type.StampFactory;
import jdk.graal.compiler.graph.Node;
import jdk.graal.compiler.nodes.AbstractMergeNode;
import jdk.graal.compiler.nodes.ConstantNode;
import jdk.graal.compiler.nodes.Invoke;
import jdk.graal.compiler.nodes.LoopBeginNode;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.ValuePhiNode;
import jdk.graal.compiler.nodes.calc.AddNode;
import jdk.graal.compiler.nodes.cfg.ControlFlowGraph;
import jdk.graal.compiler.nodes.cfg.HIRBlock;
import jdk.graal.compiler.nodes.extended.ForeignCall;
import jdk.vm.ci.meta.JavaKind;

/**
 * Edges whose traversals a loop keeps in registers: they are written to memory only where the loop is
 * left. The back edge of a loop that has an induction variable costs nothing inside the loop.
 */
final class LoopCounts {
    /** Edges of a loop, beside one back edge, that may take a register each. */
    private static final int MORE = 2;
    /** Calls in blocks rarer than this share of the loop's iterations do not count as calls. */
    private static final double RARE = 0.05;
    /** Iterations per way out from which a register pays. */
    private static final double WORTHWHILE = 1.0;

    private final FlowGraph flow;
    private final StructuredGraph graph;
    private final ControlFlowGraph cfg;
    private final Map<CFGLoop<HIRBlock>, InductionVariable> variables = new HashMap<>();
    private final Set<CFGLoop<HIRBlock>> quiet = new HashSet<>();

    LoopCounts(FlowGraph flow, StructuredGraph graph, ControlFlowGraph cfg) {
        this.flow = flow;
        this.graph = graph;
        this.cfg = cfg;
        for (CFGLoop<HIRBlock> loop : cfg.getLoops()) {
            List<FlowGraph.Edge> back = flow.backEdges(loop);
            double iterations = FlowGraph.weight(back);
            double exits = FlowGraph.weight(flow.exits(loop));
            if (iterations < WORTHWHILE * exits) {
                continue;
            }
            InductionVariable variable = back.size() == 1 ? InductionVariable.of((LoopBeginNode) loop.getHeader().getBeginNode(), flow, loop) : null;
            if (variable != null) {
                variables.put(loop, variable);
            }
            if (loop.getChildren().isEmpty() && isQuiet(loop)) {
                quiet.add(loop);
            }
        }
    }

    private boolean isQuiet(CFGLoop<HIRBlock> loop) {
        double header = loop.getHeader().getRelativeFrequency();
        for (HIRBlock block : loop.getBlocks()) {
            for (Node node : block.getNodes()) {
                boolean rare = block.getRelativeFrequency() < RARE * header;
                if (node instanceof Invoke || node instanceof ForeignCall && !rare) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Back edges that must not be on the tree, because counting them is cheap. */
    Set<FlowGraph.Edge> chords() {
        Set<FlowGraph.Edge> chords = new HashSet<>();
        Stream.concat(variables.keySet().stream(), quiet.stream()).map(flow::backEdges).filter(back -> back.size() == 1)
                .forEach(back -> chords.add(back.getFirst()));
        return chords;
    }

    /** Takes the edges that loops hold. */
    interface Holder {
        /** Says that a chord will be held; its traversals come multiplied by {@code factor}. */
        void hold(FlowGraph.Edge chord, boolean byVariable, long factor);

        /** Adds what was held where the loop is left. */
        void flush(FlowGraph.Edge chord, FlowGraph.Edge exit, ValueNode amount);
    }

    /** Offers the chords of loops to be held; those that were not taken are left to the caller. */
    Set<FlowGraph.Edge> hold(Set<FlowGraph.Edge> chords, Holder holder, boolean anyStride) {
        Set<FlowGraph.Edge> held = new HashSet<>();
        for (CFGLoop<HIRBlock> loop : cfg.getLoops()) {
            InductionVariable variable = variables.get(loop);
            FlowGraph.Edge back = variable == null ? null : flow.backEdges(loop).getFirst();
            if (back != null && chords.contains(back) && (anyStride || variable.stride() == 1 || variable.stride() == -1)) {
                holder.hold(back, true, Math.abs(variable.stride()));
                ValueNode passed = variable.passed(graph);
                flow.exits(loop).forEach(exit -> holder.flush(back, exit, passed));
                held.add(back);
            }
            if (quiet.contains(loop)) {
                inside(loop, chords, held).forEach(chord -> {
                    holder.hold(chord, false, 1);
                    Map<Integer, ValueNode> values = chain(loop, chord);
                    flow.exits(loop).forEach(exit -> holder.flush(chord, exit, behind(values, exit, chord)));
                    held.add(chord);
                });
            }
        }
        return held;
    }

    /** The often taken chords of a loop that still have no register. */
    private List<FlowGraph.Edge> inside(CFGLoop<HIRBlock> loop, Set<FlowGraph.Edge> chords, Set<FlowGraph.Edge> held) {
        double header = loop.getHeader().getRelativeFrequency();
        List<FlowGraph.Edge> backs = flow.backEdges(loop);
        boolean room = backs.stream().noneMatch(held::contains);
        return flow.hottestFirst().stream().filter(e -> chords.contains(e) && !held.contains(e) && flow.inside(e.from, loop) && flow.inside(e.to, loop))
                .filter(e -> e.weight >= RARE * header).limit(MORE + (room ? 1 : 0)).toList();
    }

    /** Per block of the loop, how often the edge was taken since the loop was entered. */
    private Map<Integer, ValueNode> chain(CFGLoop<HIRBlock> loop, FlowGraph.Edge counted) {
        Map<Integer, ValueNode> values = new HashMap<>();
        LoopBeginNode header = (LoopBeginNode) loop.getHeader().getBeginNode();
        ValuePhiNode phi = graph.addWithoutUnique(new ValuePhiNode(StampFactory.forKind(JavaKind.Long), header));
        List<HIRBlock> blocks = new ArrayList<>(loop.getBlocks());
        blocks.sort((a, b) -> Integer.compare(a.getId(), b.getId()));
        for (HIRBlock block : blocks) {
            values.put(block.getId(), block == loop.getHeader() ? phi : atBegin(block, values, counted));
        }
        for (int i = 0; i < header.phiPredecessorCount(); i++) {
            HIRBlock predecessor = cfg.blockFor(header.phiPredecessorAt(i));
            phi.addInput(flow.inside(predecessor.getId(), loop) ? behind(values, edge(predecessor, loop.getHeader()), counted) : constant(0));
        }
        return values;
    }

    private ValueNode atBegin(HIRBlock block, Map<Integer, ValueNode> values, FlowGraph.Edge counted) {
        List<FlowGraph.Edge> reaching = flow.reaching.get(block.getId());
        ValueNode first = behind(values, reaching.getFirst(), counted);
        if (reaching.stream().allMatch(e -> behind(values, e, counted) == first)) {
            return first;
        }
        AbstractMergeNode merge = (AbstractMergeNode) block.getBeginNode();
        ValueNode[] inputs = new ValueNode[merge.phiPredecessorCount()];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = behind(values, edge(cfg.blockFor(merge.phiPredecessorAt(i)), block), counted);
        }
        return graph.addWithoutUnique(new ValuePhiNode(StampFactory.forKind(JavaKind.Long), merge, inputs));
    }

    private ValueNode behind(Map<Integer, ValueNode> values, FlowGraph.Edge edge, FlowGraph.Edge counted) {
        ValueNode before = values.get(edge.from);
        return edge == counted ? graph.addOrUnique(new AddNode(before, constant(1))) : before;
    }

    private FlowGraph.Edge edge(HIRBlock from, HIRBlock to) {
        return flow.leaving.get(from.getId()).stream().filter(e -> e.to == to.getId()).findFirst().orElseThrow();
    }

    private ValueNode constant(long value) {
        return ConstantNode.forLong(value, graph);
    }
}
