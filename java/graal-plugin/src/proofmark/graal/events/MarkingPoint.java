package proofmark.graal.events;

/**
 * When an event is recognised: at the end, or (for nodes that a later phase destroys) by a marker
 * that is put before or after a phase of one of Graal's tiers.
 *
 * @param tier {@code high}, {@code mid}, {@code low}, or {@code end}
 * @param after whether the marking follows the phase
 * @param phase simple name of the phase's class; empty for the end
 */
public record MarkingPoint(String tier, boolean after, String phase) {
    /** Block contents of the last schedule: whatever is still there becomes machine code. */
    static final MarkingPoint END = new MarkingPoint("end", false, "");
    /** All optimisation of the set of operations is over, only lowering follows. */
    static final MarkingPoint BEFORE_LOW_LOWERING = new MarkingPoint("low", false, "LowTierLoweringPhase");
    /** Snippets of locks have been inlined. */
    static final MarkingPoint AFTER_LOW_LOWERING = new MarkingPoint("low", true, "LowTierLoweringPhase");
    /** Type tests are still nodes. */
    static final MarkingPoint BEFORE_MID_LOWERING = new MarkingPoint("mid", false, "MidTierLoweringPhase");

    /** Reads {@link UserEvent#when}. */
    static MarkingPoint parse(String text) {
        if (text.equals("end")) {
            return END;
        }
        String[] words = text.split(":", -1);
        boolean known = words.length == 3 && words[0].matches("high|mid|low") && words[1].matches("before|after") && !words[2].isEmpty();
        if (!known) {
            throw new IllegalArgumentException("'" + text + "' is not a time of marking: write end, or TIER:before:PHASE or TIER:after:PHASE"
                    + " with high, mid or low for TIER and the simple name of one of Graal's phases");
        }
        return new MarkingPoint(words[0], words[1].equals("after"), words[2]);
    }

    boolean atEnd() {
        return this == END;
    }

    /** For people. */
    String words() {
        return atEnd() ? "end of the low tier" : (after ? "after " : "before ") + phase;
    }
}
