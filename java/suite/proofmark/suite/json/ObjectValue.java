package proofmark.suite.json;

import proofmark.suite.collections.Table;

/** An object: names and their values. */
final class ObjectValue extends Value {
    private final Table<String, Value> members = new Table<>();

    void put(String name, Value value) {
        members.put(name, value);
    }

    @Override
    public void countIn(Census census) {
        census.addObject(members.size());
        members.forEachValue(value -> value.countIn(census));
    }
}
