package proofmark.graal.events;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** One increment per event: slow, and so simple that the other strategies can be held against it. */
final class DirectCounting {
    private DirectCounting() {
    }

    static void apply(EventTable table, FlowGraph flow, CounterCode code) {
        Map<EventTable.Event, Integer> counters = new HashMap<>();
        for (int block = 0; block < flow.size(); block++) {
            for (Map.Entry<EventTable.Event, Integer> entry : new TreeMap<>(table.block(block).events).entrySet()) {
                EventTable.Event event = entry.getKey();
                int counter = counters.computeIfAbsent(event, e -> {
                    int taken = code.take(1);
                    table.count(e.type(), e.position() < 0 ? "-" : Integer.toString(e.position()), "-", taken);
                    return taken;
                });
                for (int i = 0; i < entry.getValue(); i++) {
                    code.add(code.atBegin(block), counter, 1);
                }
            }
        }
    }
}
