package proofmark.suite.json;

/** A JSON value. */
public abstract class Value {
    /** Counts this value and all inside it. */
    public abstract void countIn(Census census);
}
