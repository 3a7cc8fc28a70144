package proofmark.graal.events;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

import jdk.graal.compiler.graph.Node;
import jdk.graal.compiler.graph.NodeSourcePosition;
import jdk.graal.compiler.nodes.AbstractBeginNode;
import jdk.graal.compiler.nodes.FixedNode;
import jdk.graal.compiler.nodes.FixedWithNextNode;
import jdk.graal.compiler.nodes.GraphState;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.spi.CoreProviders;
import jdk.graal.compiler.phases.BasePhase;
import jdk.graal.compiler.phases.Speculative;

/**
 * Replaces markers by notes on their neighbours in the same block, before the phases that fold tests
 * into the access behind them, or move what both sides of a branch do in front of it: a marker in between would
 * hinder them.
 */
final class Anchors extends BasePhase<CoreProviders> implements Speculative {
    private static final Map<StructuredGraph, List<Anchor>> NOTES = new WeakHashMap<>();

    /** An event and the nodes of its block; the block is that of the first which is still alive. */
    record Anchor(int event, NodeSourcePosition position, List<FixedNode> neighbours) {
    }

    @Override
    public Optional<NotApplicable> notApplicableTo(GraphState state) {
        return ALWAYS_APPLICABLE;
    }

    @Override
    public boolean checkContract() {
        return false;
    }

    @Override
    protected void run(StructuredGraph graph, CoreProviders context) {
        List<Anchor> anchors = new ArrayList<>();
        List<EventMarker> markers = graph.getNodes().filter(EventMarker.class).snapshot();
        for (EventMarker marker : markers) {
            anchors.add(new Anchor(marker.event, marker.getNodeSourcePosition(), neighbours(marker)));
        }
        markers.forEach(graph::removeFixed);
        if (!anchors.isEmpty()) {
            synchronized (NOTES) {
                NOTES.computeIfAbsent(graph, none -> new ArrayList<>()).addAll(anchors);
            }
        }
    }

    /** The block's begin, which no phase takes to another block, then what follows, then what precedes. */
    private static List<FixedNode> neighbours(EventMarker marker) {
        List<FixedNode> behind = new ArrayList<>();
        for (Node node = marker.next(); node != null; node = node instanceof FixedWithNextNode with ? with.next() : null) {
            if (node instanceof AbstractBeginNode) {
                break;
            }
            add(behind, node);
        }
        List<FixedNode> before = new ArrayList<>();
        List<FixedNode> neighbours = new ArrayList<>();
        for (Node node = marker.predecessor(); node instanceof FixedWithNextNode; node = node.predecessor()) {
            if (node instanceof AbstractBeginNode) {
                neighbours.add((FixedNode) node);
                break;
            }
            add(before, node);
        }
        neighbours.addAll(behind);
        neighbours.addAll(before);
        return neighbours;
    }

    private static void add(List<FixedNode> neighbours, Node node) {
        if (!(node instanceof EventMarker)) {
            neighbours.add((FixedNode) node);
        }
    }

    /** The notes on a graph; only once. */
    static List<Anchor> take(StructuredGraph graph) {
        synchronized (NOTES) {
            List<Anchor> anchors = NOTES.remove(graph);
            return anchors == null ? List.of() : anchors;
        }
    }
}
