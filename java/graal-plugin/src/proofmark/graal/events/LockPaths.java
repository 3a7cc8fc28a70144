package proofmark.graal.events;

import java.util.Optional;

import jdk.graal.compiler.nodes.GraphState;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.debug.DynamicCounterNode;
import jdk.graal.compiler.nodes.spi.CoreProviders;
import jdk.graal.compiler.phases.BasePhase;
import jdk.graal.compiler.phases.Speculative;

/**
 * Takes out the counters that Graal's option {@code ProfileMonitors} puts into the code of locks; the
 * marking in front of this phase has read them. They are never executed, but where Graal's own counters
 * are wanted as a check.
 */
final class LockPaths extends BasePhase<CoreProviders> implements Speculative {
    /** Group of the counters at the entry of monitors. */
    static final String ENTERS = "number of monitor enters";
    private static final String EXITS = "number of monitor exits";

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
        for (DynamicCounterNode counter : graph.getNodes().filter(DynamicCounterNode.class).snapshot()) {
            if (counter.getGroup().equals(ENTERS) || counter.getGroup().equals(EXITS)) {
                graph.removeFixed(counter);
            }
        }
    }
}
