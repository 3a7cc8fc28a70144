package proofmark.harness;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The fields that say how many turns each site makes; the agent defined their class. */
final class Sites {
    /** The lower bits of a field are the turns; above them is the odd number that the loop squares. */
    private static final int TURN_BITS = 6;
    private static final int SQUARED = 0x1a5b3c7;

    private final List<Field> turns = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(7);

    Sites() {
        try {
            Class<?> type = Class.forName("java.lang.ProofmarkSites");
            for (Field field = next(type); field != null; field = next(type)) {
                turns.add(field);
            }
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("the agent is not loaded", e);
        }
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
