package proofmark.suite.json;

import proofmark.suite.collections.Sequence;

/** An array of values. */
final class ArrayValue extends Value {
    private final Sequence<Value> elements = new Sequence<>();

    void add(Value value) {
        elements.add(value);
    }

    @Override
    public void countIn(Census census) {
        census.addArray(elements.size());
        elements.forEach(value -> value.countIn(census));
    }
}
