package proofmark.graal;

/**
 * Eight-byte counters below 2 GB. Plain increments: exact as long as one thread runs the counted
 * code.
 */
final class Counters {
    private final LowMemory memory;

    Counters(int count) {
        memory = new LowMemory(Math.max(1, count) * 8L);
    }

    long address(int index) {
        return memory.address() + 8L * index;
    }

    long read(int index) {
        return memory.get(index);
    }

    void clear() {
        memory.clear();
    }
}
