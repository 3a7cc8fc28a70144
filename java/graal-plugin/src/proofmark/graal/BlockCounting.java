package proofmark.graal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counters for every block of every unit under control, and the code that counts in them. */
final class BlockCounting {
    private final Map<UnitState, Integer> first = new HashMap<>();
    private final List<Compiled> codes = new ArrayList<>();
    private final Counters counters;

    BlockCounting(Collection<UnitState> units) {
        int total = 0;
        for (UnitState unit : units) {
            first.put(unit, total);
            total += 1 + unit.baseline.record().blocks.stream().mapToInt(CodeRecord.Block::id).max().orElse(0);
        }
        counters = new Counters(total);
    }

    long address(UnitState unit) {
        return counters.address(first.get(unit));
    }

    void add(Compiled compiled) {
        codes.add(compiled);
    }

    List<Compiled> codes() {
        return codes;
    }

    void clear() {
        counters.clear();
    }

    List<UnitCounts> read() {
        return codes.stream().map(this::read).toList();
    }

    private UnitCounts read(Compiled compiled) {
        int start = first.get(compiled.unit());
        return new UnitCounts(compiled.unit().index,
                compiled.record().blocks.stream().map(block -> new long[] {block.id(), counters.read(start + block.id())}).toList());
    }
}
