package proofmark.graal;

import java.util.Map;

/**
 * What to insert into one unit.
 *
 * @param filler the slowdown instruction
 * @param point where in the block
 * @param counts block id to number of slowdown instructions; absent means none
 * @param counters address below 2 GB of one 8-byte counter per block id, or 0 for no counting
 * @param markers whether every block starts with an 8-byte NOP that carries its id
 * @param shift bytes by which the code begins later in its cache line, see {@link ShiftedCode}
 */
public record Insertion(Filler filler, Point point, Map<Integer, Integer> counts, long counters, boolean markers, int shift) {
    /** Nothing inserted; only zero-byte probes. */
    static final Insertion NONE = new Insertion(Filler.MOV, Point.SPREAD, Map.of(), 0, false, 0);

    /** Where a block's slowdown instructions go. */
    public enum Point {
        /** Evenly between the block's own instructions. */
        SPREAD,
        /** In front of the block's first instruction. */
        START,
        /** Behind its last instruction that does not end the block. */
        END,
        /** Together in front of the first instruction with debug information, which they carry too. */
        DEBUG
    }

    int count(int block) {
        return counts.getOrDefault(block, 0);
    }

    static Insertion counting(long counters) {
        return new Insertion(Filler.MOV, Point.SPREAD, Map.of(), counters, false, 0);
    }
}
