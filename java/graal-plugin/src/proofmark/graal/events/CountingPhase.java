package proofmark.graal.events;

import java.util.List;
import java.util.Optional;

import jdk.graal.compiler.debug.DebugCloseable;
import jdk.graal.compiler.nodes.GraphState;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.cfg.ControlFlowGraph;
import jdk.graal.compiler.nodes.spi.CoreProviders;
import jdk.graal.compiler.phases.BasePhase;
import jdk.graal.compiler.phases.Speculative;
import jdk.graal.compiler.phases.schedule.SchedulePhase;

/**
 * Runs when nothing changes the graph any more, right before the schedule from which machine code is
 * made. Takes a census of every block and adds the code that counts.
 */
final class CountingPhase extends BasePhase<CoreProviders> implements Speculative {
    private static final List<String> PLATFORM = List.of("Ljava/", "Ljavax/", "Ljdk/", "Lsun/", "Lcom/sun/", "Lorg/graalvm/");

    @Override
    public Optional<NotApplicable> notApplicableTo(GraphState state) {
        return ALWAYS_APPLICABLE;
    }

    @Override
    public boolean checkContract() {
        return false;
    }

    @Override
    @SuppressWarnings("try")
    protected void run(StructuredGraph graph, CoreProviders context) {
        Plan plan = Plans.of(graph);
        if (plan == null || plan.strategy() == Plan.Strategy.NONE) {
            Anchors.take(graph);
            return;
        }
        int plainNodes = graph.getNodeCount();
        SchedulePhase.runWithoutContextOptimizations(graph, SchedulePhase.SchedulingStrategy.LATEST_OUT_OF_LOOPS, true);
        ControlFlowGraph cfg = graph.getLastSchedule().getCFG();
        FlowGraph flow = new FlowGraph(cfg);
        EventTable table = new EventTable(plan, flow, plainNodes);
        new Census(table).take(graph, cfg);
        try (DebugCloseable position = graph.start().withNodeSourcePosition()) {
            boolean threads = plan.threads() || ofPlatform(graph) && CounterSpace.OF_JVM.hasPages();
            count(table, flow, new CounterCode(graph, flow, threads), graph, cfg);
        }
        graph.clearLastSchedule();
        EventTable.made(graph.compilationId(), table);
    }

    /** Whether the compiler may run the unit, too. */
    private static boolean ofPlatform(StructuredGraph graph) {
        String type = graph.method().getDeclaringClass().getName();
        return PLATFORM.stream().anyMatch(type::startsWith);
    }

    private static void count(EventTable table, FlowGraph flow, CounterCode code, StructuredGraph graph, ControlFlowGraph cfg) {
        switch (table.plan.strategy()) {
            case EDGE -> new EdgeCounting(table, flow, code, graph, cfg).traversals();
            case LIVE -> new EdgeCounting(table, flow, code, graph, cfg).weights();
            case PC -> new PathCounting(table, flow, code, graph, cfg).count();
            case PD -> new PathCounting(table, flow, code, graph, cfg).decode();
            case DEC -> DirectCounting.apply(table, flow, code);
            case NONE -> {
            }
        }
    }
}
