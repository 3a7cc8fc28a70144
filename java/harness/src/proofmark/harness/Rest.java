package proofmark.harness;

import java.util.ArrayDeque;

/**
 * Whether the compilers rest: in the last stretch of time they worked for no more than a small part of it. A large program compiles
 * a little all the time, so that no compilation at all would be waited for without end.
 */
final class Rest {
    /** Length of that stretch. */
    private static final long STRETCH_NS = 400_000_000L;

    private final double trickle;
    /** When it was looked, in ns, and the compilation time until then, in ms: the last look before the stretch, and all in it. */
    private final ArrayDeque<long[]> looks = new ArrayDeque<>();
    private long since = Long.MAX_VALUE;

    /** From {@code now} on, when compilers had worked for {@code compiled} ms; they rest while they work for that part of the time at most. */
    Rest(long now, long compiled, double trickle) {
        this.trickle = trickle;
        looks.add(new long[] {now, compiled});
    }

    /** Whether they rest {@code now}, when they have worked for {@code compiled} ms in all. */
    boolean at(long now, long compiled) {
        looks.add(new long[] {now, compiled});
        long[] before = looks.poll();
        while (looks.peek()[0] <= now - STRETCH_NS) {
            before = looks.poll();
        }
        looks.addFirst(before);
        boolean rests = now - before[0] >= STRETCH_NS && (compiled - before[1]) * 1_000_000 <= trickle * (now - before[0]);
        if (!rests) {
            since = Long.MAX_VALUE;
        } else if (since == Long.MAX_VALUE) {
            since = before[0];
        }
        return rests;
    }

    /** Since when they have rested, in ns. */
    long since() {
        return since;
    }
}
