package proofmark.graal.events;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import jdk.graal.compiler.graph.Node;
import jdk.graal.compiler.nodes.Invoke;
import jdk.graal.compiler.nodes.SafepointNode;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.calc.IntegerDivRemNode;
import jdk.graal.compiler.nodes.cfg.ControlFlowGraph;
import jdk.graal.compiler.nodes.cfg.HIRBlock;

/** Counts the events of every block: its scheduled nodes, and what markers told. */
final class Census {
    private final EventTable table;
    /** Types that may match nodes of a class; there are few classes and many nodes. */
    private final Map<Class<?>, int[]> candidates = new HashMap<>();
    private final List<Integer> atEnd;

    Census(EventTable table) {
        this.table = table;
        atEnd = table.plan.markedAt(MarkingPoint.END);
    }

    void take(StructuredGraph graph, ControlFlowGraph cfg) {
        for (HIRBlock block : cfg.getBlocks()) {
            EventTable.Block events = table.block(block.getId());
            Map<String, Integer> leaks = new HashMap<>();
            for (Node node : graph.getLastSchedule().getBlockToNodesMap().get(block)) {
                for (int type : candidates.computeIfAbsent(node.getClass(), this::looking)) {
                    if (Catalogue.OF_JVM.all().get(type).test().matches(node)) {
                        events.add(type, table.positions.of(node.getNodeSourcePosition()));
                    }
                }
                String leak = leak(node);
                if (leak != null) {
                    leaks.merge(leak, 1, Integer::sum);
                }
            }
            leaks.forEach((kind, times) -> table.leak(block.getId(), kind, times));
        }
        for (Anchors.Anchor anchor : Anchors.take(graph)) {
            anchor.neighbours().stream().filter(Node::isAlive).findFirst()
                    .ifPresent(node -> table.block(cfg.blockFor(node).getId()).add(anchor.event(), table.positions.of(anchor.position())));
        }
    }

    private int[] looking(Class<?> type) {
        List<Integer> looking = new ArrayList<>();
        for (int event : atEnd) {
            if (Catalogue.OF_JVM.all().get(event).looksAt(type)) {
                looking.add(event);
            }
        }
        return looking.stream().mapToInt(Integer::intValue).toArray();
    }

    /** How an activation can be over in the middle of a block: a trap, an exception or a deoptimisation during a call or poll. */
    private static String leak(Node node) {
        if (node instanceof Invoke) {
            return "call";
        }
        if (node instanceof SafepointNode) {
            return "safepoint";
        }
        return Guards.trapsOnNull(node) || node instanceof IntegerDivRemNode division && division.canDeoptimize() ? "implicit" : null;
    }
}
