package proofmark.graal.events;

import jdk.graal.compiler.hotspot.HotSpotCompilationIdentifier;
import jdk.graal.compiler.nodes.StructuredGraph;

/** Which plan a compilation follows. */
public final class Plans {
    private static final ThreadLocal<Plan> OWN = new ThreadLocal<>();
    private static volatile Plan others = Plan.NONE;

    private Plans() {
    }

    /** For the compilations of this thread; null for {@link #others}' again. */
    public static void own(Plan plan) {
        OWN.set(plan);
    }

    /** For the JVM's own compiler threads from now on. */
    public static void others(Plan plan) {
        others = plan;
    }

    /** Null for graphs that are not to be counted: snippets, stubs and Proofmark's own methods. */
    static Plan of(StructuredGraph graph) {
        if (!(graph.compilationId() instanceof HotSpotCompilationIdentifier id)) {
            return null;
        }
        Plan own = OWN.get();
        if (own != null) {
            return own;
        }
        String type = id.getRequest().getMethod().getDeclaringClass().getName();
        return type.startsWith("Lproofmark/harness/") || type.startsWith("Lproofmark/graal/") ? null : others;
    }
}
