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

    void write(Json json) {
        json.array("counts");
        for (Compiled compiled : codes) {
            json.object().field("unit", compiled.unit().index).array("blocks");
            for (CodeRecord.Block block : compiled.record().blocks) {
                json.array().value(block.id()).value(counters.read(first.get(compiled.unit()) + block.id())).end();
            }
            json.end().end();
        }
        json.end();
    }
}
