package proofmark.harness;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The fields that say how many turns each site makes; the agent defined their class. */
final class Sites {
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
    void set(int site, int number) throws IllegalAccessException {
        rest();
        turns.get(site).setInt(null, number);
    }

    /** No site makes a turn. */
    void rest() throws IllegalAccessException {
        for (Field field : turns) {
            field.setInt(null, 0);
        }
    }

    /** Every site makes from none to {@code most} turns. */
    void randomise(int most) throws IllegalAccessException {
        for (Field field : turns) {
            field.setInt(null, random.nextInt(most + 1));
        }
    }
}
