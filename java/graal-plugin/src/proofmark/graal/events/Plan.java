package proofmark.graal.events;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

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

    /** Reads {@code key=value} words: strategy, types, pages, check, markers. */
    public static Plan parse(String line) {
        Map<String, String> words = new HashMap<>(Map.of("types", "all", "pages", "absolute", "check", "off", "markers", "off"));
        for (String word : line.trim().split(" ")) {
            int equals = word.indexOf('=');
            words.put(word.substring(0, Math.max(equals, 0)), word.substring(equals + 1));
        }
        Strategy strategy = Strategy.valueOf(words.getOrDefault("strategy", "").toUpperCase(Locale.ROOT));
        boolean markers = words.get("markers").equals("on");
        Set<Integer> types = strategy == Strategy.NONE && !markers ? new TreeSet<>() : Catalogue.OF_JVM.indices(Arrays.asList(words.get("types").split(",")));
        return new Plan(strategy, types, words.get("pages").equals("thread"), words.get("check").equals("on"), markers);
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
