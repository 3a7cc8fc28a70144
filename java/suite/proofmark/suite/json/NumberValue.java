package proofmark.suite.json;

/** A number, kept as it was written and converted when asked for. */
final class NumberValue extends Value {
    private final String written;

    NumberValue(String written) {
        this.written = written;
    }

    @Override
    public void countIn(Census census) {
        census.addNumber(Double.parseDouble(written));
    }
}
