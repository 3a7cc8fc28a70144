package proofmark.graal.events;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import jdk.graal.compiler.nodes.FixedNode;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.calc.MulNode;
import jdk.graal.compiler.nodes.cfg.ControlFlowGraph;

/**
 * Counts on the chords of a spanning tree: either their traversals, from which everything follows
 * afterwards, or at once what they weigh, straight into the totals. Chords that weigh nothing for the
 * events that are asked for get no code.
 */
final class EdgeCounting {
    /** Types for which an edge weighs at most so that it adds to their totals itself: additions in memory cost more than one. */
    private static final int AT_ONCE = 2;

    private final EventTable table;
    private final FlowGraph flow;
    private final CounterCode code;
    private final StructuredGraph graph;
    private final LoopCounts loops;
    private final SpanningTree tree;

    EdgeCounting(EventTable table, FlowGraph flow, CounterCode code, StructuredGraph graph, ControlFlowGraph cfg) {
        this.table = table;
        this.flow = flow;
        this.code = code;
        this.graph = graph;
        loops = new LoopCounts(flow, graph, cfg);
        tree = new SpanningTree(flow, loops.chords());
    }

    /** Counts traversals. */
    void traversals() {
        FlowGraph.Edge check = table.plan.check() ? flow.hottestFirst().stream().filter(this::atOutside).findFirst().orElseThrow() : null;
        Set<FlowGraph.Edge> chords = chords(tree.weights(hashes(check)));
        if (chords.isEmpty() && (check == null || table.types().isEmpty())) {
            return;
        }
        Map<FlowGraph.Edge, Integer> counters = new HashMap<>();
        Set<FlowGraph.Edge> held = loops.hold(chords, new LoopCounts.Holder() {
            @Override
            public void hold(FlowGraph.Edge chord, boolean byVariable, long factor) {
                counters.put(chord, code.take(1));
                chord.measure = byVariable ? "i" + counters.get(chord) + '*' + factor : "r" + counters.get(chord);
            }

            @Override
            public void flush(FlowGraph.Edge chord, FlowGraph.Edge exit, ValueNode amount) {
                code.add(code.place(exit), counters.get(chord), amount);
            }
        }, true);
        for (FlowGraph.Edge chord : flow.edges) {
            if (chords.contains(chord) && !held.contains(chord)) {
                chord.measure = "c" + count(chord);
            }
        }
        if (check != null) {
            check.measure = "-c" + count(check);
        }
    }

    private int count(FlowGraph.Edge edge) {
        int counter = code.take(1);
        code.add(code.place(edge), counter, 1);
        return counter;
    }

    private boolean atOutside(FlowGraph.Edge edge) {
        return edge.tree && (edge.from == FlowGraph.OUTSIDE || edge.to == FlowGraph.OUTSIDE);
    }

    private Set<FlowGraph.Edge> chords(long[][] weights) {
        Set<FlowGraph.Edge> chords = new HashSet<>();
        for (FlowGraph.Edge edge : flow.edges) {
            if (!edge.tree) {
                boolean weighs = false;
                for (long weight : weights[edge.id]) {
                    weighs |= weight != 0;
                }
                edge.measure = weighs ? "-" : "z";
                if (weighs) {
                    chords.add(edge);
                }
            }
        }
        return chords;
    }

    /**
     * Per edge one number for all events of the block it leaves. Each type at each position has a
     * 64-bit number of its own, so that a sum is 0 only when every count is, with a probability of
     * error of 2^-64 per chord.
     */
    private long[][] hashes(FlowGraph.Edge check) {
        long[][] values = new long[flow.edges.size()][1];
        for (FlowGraph.Edge edge : flow.edges) {
            if (edge.from != FlowGraph.OUTSIDE) {
                table.block(edge.from).events.forEach((event, times) -> values[edge.id][0] += times * scatter(event.type(), event.position()));
            }
            if (edge == check) {
                values[edge.id][0] += scatter(-1, 0);
            }
        }
        return values;
    }

    /** The finaliser of SplitMix64, which maps different arguments to different, unrelated numbers. */
    private static long scatter(long type, long position) {
        long z = (type << 32 ^ position) * 0x9e3779b97f4a7c15L + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /**
     * Adds weights to totals. An edge that weighs for many types counts its traversals instead: the sum
     * of totals and of such counters times their weights is known at any time, too.
     */
    void weights() {
        List<Integer> types = table.types();
        long[][] values = new long[flow.edges.size()][types.size()];
        for (FlowGraph.Edge edge : flow.edges) {
            for (int t = 0; t < types.size() && edge.from != FlowGraph.OUTSIDE; t++) {
                values[edge.id][t] = table.block(edge.from).count(types.get(t));
            }
        }
        long[][] weights = tree.weights(values);
        Set<FlowGraph.Edge> chords = chords(weights);
        if (chords.isEmpty()) {
            return;
        }
        int first = code.take(types.size());
        for (int t = 0; t < types.size(); t++) {
            table.count(types.get(t), "-", "-", first + t);
        }
        Map<FlowGraph.Edge, Integer> rows = new HashMap<>();
        Set<FlowGraph.Edge> held = loops.hold(chords, new LoopCounts.Holder() {
            @Override
            public void hold(FlowGraph.Edge chord, boolean byVariable, long factor) {
                row(chord, weights[chord.id], rows);
            }

            @Override
            public void flush(FlowGraph.Edge chord, FlowGraph.Edge exit, ValueNode amount) {
                add(code.place(exit), first, rows.get(chord), weights[chord.id], amount);
            }
        }, false);
        chords.stream().filter(chord -> !held.contains(chord)).sorted((a, b) -> a.id - b.id).forEach(chord -> {
            row(chord, weights[chord.id], rows);
            add(code.place(chord), first, rows.get(chord), weights[chord.id], code.constant(1));
        });
        flow.edges.forEach(edge -> edge.measure = "-");
    }

    /** Takes a counter for an edge that weighs for many types. */
    private void row(FlowGraph.Edge chord, long[] weights, Map<FlowGraph.Edge, Integer> rows) {
        if (Arrays.stream(weights).filter(weight -> weight != 0).count() <= AT_ONCE) {
            return;
        }
        int counter = code.take(1);
        rows.put(chord, counter);
        List<Integer> types = table.types();
        for (int t = 0; t < weights.length; t++) {
            if (weights[t] != 0) {
                table.count(types.get(t), "-", "-", counter, weights[t]);
            }
        }
    }

    private void add(FixedNode before, int first, Integer row, long[] weights, ValueNode times) {
        if (row != null) {
            code.add(before, row, times);
            return;
        }
        for (int t = 0; t < weights.length; t++) {
            if (weights[t] == 0) {
                continue;
            }
            if (times.isJavaConstant()) {
                code.add(before, first + t, weights[t] * times.asJavaConstant().asLong());
            } else {
                code.add(before, first + t, weights[t] == 1 ? times : graph.addOrUnique(new MulNode(times, code.constant(weights[t]))));
            }
        }
    }
}
