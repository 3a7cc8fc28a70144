package proofmark.graal.events;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What a compilation counts and how.
 *
 * @param strategy how counts are taken
 * @param types indices in the {@link Catalogue}
 * @param threads whether every thread has counters of its own
 * @param check whether a redundant counter tells of activations that were left in the middle
 * @param markers whether marked events are marked although nothing is counted
 */
public record Plan(Strategy strategy, Set<Integer> types, boolean threads, boolean check, boolean markers) {
    /** Nothing is counted or marked. */
    public static final Plan NONE = new Plan(Strategy.NONE, Set.of(), false, false, false);

    /** How counts are taken. */
    public enum Strategy {
        /** Not at all. */
        NONE,
        /** Traversals of the edges outside of a maximum spanning tree; the rest follows from them. */
        EDGE,
        /** Those edges add what they weigh straight to the totals of the types. */
        LIVE,
        /** Executions of acyclic paths. */
        PC,
        /** A path's row of event counts is added to the totals at its end. */
        PD,
        /** One increment per event. */
        DEC
    }

    /** A plan for the named types and categories; no names mean all. */
    public static Plan of(String strategy, List<String> names, boolean threads, boolean check, boolean markers) {
        Strategy how = Strategy.valueOf(strategy.toUpperCase(Locale.ROOT));
        boolean nothing = how == Strategy.NONE && !markers;
        Set<Integer> types = nothing ? Set.of() : Catalogue.OF_JVM.indices(names.isEmpty() ? List.of("all") : names);
        return new Plan(how, types, threads, check, markers);
    }

    /** Selected types that are recognised then. */
    List<Integer> markedAt(MarkingPoint point) {
        List<Integer> marked = new ArrayList<>();
        for (int type : types) {
            if (Catalogue.OF_JVM.all().get(type).point().equals(point)) {
                marked.add(type);
            }
        }
        return marked;
    }
}
