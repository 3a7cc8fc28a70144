package proofmark.graal.events;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import jdk.graal.compiler.graph.Node;
import jdk.graal.compiler.nodes.AbstractBeginNode;
import jdk.graal.compiler.nodes.FixedNode;
import jdk.graal.compiler.nodes.FixedWithNextNode;
import jdk.graal.compiler.nodes.GraphState;
import jdk.graal.compiler.nodes.PhiNode;
import jdk.graal.compiler.nodes.ProxyNode;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.VirtualState;
import jdk.graal.compiler.nodes.spi.CoreProviders;
import jdk.graal.compiler.phases.BasePhase;
import jdk.graal.compiler.phases.Speculative;

/** Puts markers where nodes are events that a later phase would destroy. */
final class MarkingPhase extends BasePhase<CoreProviders> implements Speculative {
    private final MarkingPoint point;

    MarkingPhase(MarkingPoint point) {
        this.point = point;
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
        Plan plan = Plans.of(graph);
        List<Integer> wanted = plan == null ? List.of() : plan.markedAt(point);
        if (wanted.isEmpty()) {
            return;
        }
        for (Node node : graph.getNodes().snapshot()) {
            for (int event : wanted) {
                EventType type = Catalogue.OF_JVM.all().get(event);
                if (type.looksAt(node.getClass()) && type.test().matches(node)) {
                    mark(graph, node, event);
                }
            }
        }
    }

    private static void mark(StructuredGraph graph, Node node, int event) {
        for (FixedNode place : places(node)) {
            EventMarker marker = graph.add(new EventMarker(event));
            marker.setNodeSourcePosition(node.getNodeSourcePosition());
            if (place instanceof AbstractBeginNode begin) {
                graph.addAfterFixed(begin, marker);
            } else if (place.predecessor() instanceof FixedWithNextNode) {
                graph.addBeforeFixed(place, marker);
            } else {
                marker.safeDelete();
            }
        }
    }

    /** The node itself if it is fixed, else the fixed nodes that use it. */
    private static List<FixedNode> places(Node node) {
        if (node instanceof FixedNode fixed) {
            return List.of(fixed);
        }
        List<FixedNode> places = new ArrayList<>();
        collect(node, places, new HashSet<>());
        return places;
    }

    private static void collect(Node node, List<FixedNode> places, Set<Node> seen) {
        for (Node usage : node.usages()) {
            // What only a deoptimisation would need to know is not computed.
            if (usage instanceof VirtualState || !seen.add(usage)) {
                continue;
            }
            if (usage instanceof FixedNode fixed) {
                places.add(fixed);
            } else if (usage instanceof PhiNode phi) {
                for (int i = 0; i < phi.valueCount(); i++) {
                    if (phi.valueAt(i) == node && seen.add(phi.merge().phiPredecessorAt(i))) {
                        places.add(phi.merge().phiPredecessorAt(i));
                    }
                }
            } else if (usage instanceof ProxyNode proxy) {
                places.add(proxy.proxyPoint());
            } else {
                collect(usage, places, seen);
            }
        }
    }
}
