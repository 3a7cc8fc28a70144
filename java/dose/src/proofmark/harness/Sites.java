package proofmark.harness;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The fields that say how many turns each site makes, and those that hold what turns work on; the agent defined their class. */
final class Sites {
    /** The lower bits of a field are the turns; above them is the odd number that the loop squares. */
    private static final int TURN_BITS = 6;
    private static final int SQUARED = 0x1a5b3c7;
    /** The longest copy that a site makes, and the most numbers that it adds to. */
    private static final int MOST_COPIED = 1 << 14;
    private static final int MOST_ADDED = 1 << 13;
    /** Numbers in the chain that loads follow: 256 KB, which is more than the nearest cache holds. */
    private static final int CHAINED = 1 << 16;

    private final List<Field> turns = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(7);

    Sites() {
        try {
            Class<?> type = Class.forName("java.lang.ProofmarkSites");
            for (String name : new String[] {"from", "into"}) {
                type.getField(name).set(null, new byte[MOST_COPIED]);
            }
            type.getField("vector").set(null, new int[MOST_ADDED]);
            type.getField("chain").set(null, chain());
            type.getField("lock").set(null, new Object());
            for (Field field = next(type); field != null; field = next(type)) {
                turns.add(field);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the agent is not loaded", e);
        }
    }

    /** Each number is the place of another one; from any of them, all others are met in an order that no processor can guess. */
    private static int[] chain() {
        SplittableRandom random = new SplittableRandom(11);
        int[] chain = new int[CHAINED];
        for (int i = 0; i < CHAINED; i++) {
            chain[i] = i;
        }
        for (int i = CHAINED - 1; i > 0; i--) {
            // Not with itself: that would leave a shorter way round.
            int other = random.nextInt(i);
            int kept = chain[i];
            chain[i] = chain[other];
            chain[other] = kept;
        }
        return chain;
    }

    private Field next(Class<?> type) {
        try {
            return type.getField("k" + turns.size());
        } catch (NoSuchFieldException e) {
            return null;
        }
    }

    /** One site makes so many turns, all others none. */
    void set(int site, int number) {
        rest();
        put(turns.get(site), number);
    }

    /** No site makes a turn. */
    void rest() {
        for (Field field : turns) {
            put(field, 0);
        }
    }

    /** Every site makes from none to {@code most} turns. */
    void randomise(int most) {
        for (Field field : turns) {
            put(field, random.nextInt(most + 1));
        }
    }

    /** What the fields hold. */
    int[] values() {
        return turns.stream().mapToInt(Sites::value).toArray();
    }

    private static int value(Field field) {
        try {
            return field.getInt(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the class of the fields is not ours", e);
        }
    }

    private static void put(Field field, int number) {
        try {
            field.setInt(null, number == 0 ? 0 : SQUARED << TURN_BITS | number);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the class of the fields is not ours", e);
        }
    }
}
