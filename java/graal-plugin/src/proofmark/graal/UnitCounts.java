package proofmark.graal;

import java.util.List;

/**
 * How often the blocks of a unit were executed.
 *
 * @param unit its index
 * @param blocks id and executions of each block
 */
public record UnitCounts(int unit, List<long[]> blocks) {
}
