package proofmark.graal.events;

import jdk.graal.compiler.graph.Node;

/**
 * An event type of the user's own. Implementations have a public constructor without parameters and
 * are listed in {@code META-INF/services/proofmark.graal.events.UserEvent} on the class path given
 * with {@code --event-class-path}. Called by compiler threads: it must not keep state.
 */
public interface UserEvent {
    /** Name in tables; lower case words joined with {@code -}, unlike every other type's. */
    String name();

    /** Whether executing this node is an event. Must not change the graph. */
    boolean matches(Node node);

    /**
     * When nodes are looked at: {@code end} for the graph as machine code is made from it (costs
     * nothing in optimisation), or {@code TIER:before|after:PHASE}, for example
     * {@code mid:before:MidTierLoweringPhase}, for nodes that do not live so long. A marker that is
     * put early can hinder later phases; see {@link MarkingPoint}.
     */
    String when();
}
