package proofmark.graal.events;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import jdk.graal.compiler.core.common.type.StampFactory;
import jdk.graal.compiler.nodes.AbstractMergeNode;
import jdk.graal.compiler.nodes.FixedNode;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.ValuePhiNode;
import jdk.graal.compiler.nodes.calc.AddNode;
import jdk.graal.compiler.nodes.cfg.ControlFlowGraph;
import jdk.vm.ci.meta.JavaKind;

/**
 * Keeps the number of the path in a register, already multiplied by the size of what lies behind it: a
 * counter per path, or a row of event counts that is added to the totals.
 */
final class PathCounting {
    private static final int BYTES = 8;

    private final EventTable table;
    private final FlowGraph flow;
    private final CounterCode code;
    private final StructuredGraph graph;
    private final ControlFlowGraph cfg;
    private final PathNumbers numbers;
    /** Per block, the register at its begin, and whether it is a constant. */
    private final ValueNode[] register;

    PathCounting(EventTable table, FlowGraph flow, CounterCode code, StructuredGraph graph, ControlFlowGraph cfg) {
        this.table = table;
        this.flow = flow;
        this.code = code;
        this.graph = graph;
        this.cfg = cfg;
        numbers = new PathNumbers(flow);
        register = new ValueNode[flow.size()];
    }

    /** What happens at a path's end. */
    private interface End {
        void at(FixedNode place, ValueNode register);
    }

    /** One increment per path. */
    void count() {
        if (table.types().isEmpty()) {
            return;
        }
        int first = code.take(numbers.total());
        table.paths(first, numbers.total());
        walk(BYTES);
        Set<FlowGraph.Edge> held = hold(first);
        place(BYTES, held, (place, path) -> code.add(place, first, path, 1));
    }

    /** Back edges that end only one path, which loops can count like any edge. */
    private Set<FlowGraph.Edge> hold(int first) {
        Set<FlowGraph.Edge> single = new HashSet<>();
        for (FlowGraph.Edge edge : flow.edges) {
            if (edge.kind == FlowGraph.Kind.BACK && behind(edge, BYTES).isJavaConstant()) {
                single.add(edge);
            }
        }
        return new LoopCounts(flow, graph, cfg).hold(single, new LoopCounts.Holder() {
            @Override
            public void hold(FlowGraph.Edge chord, boolean byVariable, long factor) {
            }

            @Override
            public void flush(FlowGraph.Edge chord, FlowGraph.Edge exit, ValueNode amount) {
                int path = Math.toIntExact(behind(chord, BYTES).asJavaConstant().asLong() / BYTES);
                code.add(code.place(exit), first + path, amount);
            }
        }, false);
    }

    /** A path's row is added to the totals. */
    void decode() {
        List<Integer> types = table.types();
        int width = types.size();
        if (width == 0) {
            return;
        }
        long[] rows = new long[numbers.total() * width];
        numbers.forEach((number, blocks) -> {
            for (int t = 0; t < width; t++) {
                for (int block : blocks) {
                    rows[number * width + t] += table.block(block).count(types.get(t));
                }
            }
        });
        flow.edges.forEach(edge -> edge.measure = "-");
        int table0 = CounterSpace.OF_JVM.keep(rows);
        int first = code.take(width);
        for (int t = 0; t < width; t++) {
            table.count(types.get(t), "-", "-", first + t);
        }
        walk(BYTES * width);
        place(BYTES * width, Set.of(), (place, path) -> {
            for (int t = 0; t < width; t++) {
                ValueNode amount = code.load(place, table0 + t, path);
                code.add(place, first + t, amount);
            }
        });
    }

    private void walk(int scale) {
        for (int block = 0; block < flow.size(); block++) {
            register[block] = atBegin(block, scale);
        }
    }

    private void place(int scale, Set<FlowGraph.Edge> held, End end) {
        for (FlowGraph.Edge edge : flow.edges) {
            if ((edge.leavesUnit() || numbers.isCut(edge)) && !held.contains(edge)) {
                end.at(code.place(edge), behind(edge, scale));
            }
        }
    }

    private ValueNode atBegin(int block, int scale) {
        if (block == 0) {
            return start(block, scale);
        }
        List<FlowGraph.Edge> reaching = flow.reaching.get(block);
        if (reaching.size() == 1 || reaching.stream().allMatch(numbers::isCut)) {
            return into(reaching.getFirst(), scale);
        }
        AbstractMergeNode merge = (AbstractMergeNode) flow.blocks[block].getBeginNode();
        ValueNode[] values = new ValueNode[merge.phiPredecessorCount()];
        for (int i = 0; i < values.length; i++) {
            int from = cfg.blockFor(merge.phiPredecessorAt(i)).getId();
            values[i] = into(reaching.stream().filter(edge -> edge.from == from).findFirst().orElseThrow(), scale);
        }
        return graph.addWithoutUnique(new ValuePhiNode(StampFactory.forKind(JavaKind.Long), merge, values));
    }

    private ValueNode start(int block, int scale) {
        return code.constant((long) numbers.start(block) * scale);
    }

    /** The register when the edge has been taken; behind a cut it is that of a new path. */
    private ValueNode into(FlowGraph.Edge edge, int scale) {
        return numbers.isCut(edge) ? start(edge.to, scale) : behind(edge, scale);
    }

    /** The register at the edge's end, on the path that the edge belongs to. */
    private ValueNode behind(FlowGraph.Edge edge, int scale) {
        ValueNode before = register[edge.from];
        long step = (long) numbers.value(edge) * scale;
        if (step == 0) {
            return before;
        }
        return before.isJavaConstant() ? code.constant(before.asJavaConstant().asLong() + step) : graph.addOrUnique(new AddNode(before, code.constant(step)));
    }
}
