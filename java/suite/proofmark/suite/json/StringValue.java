package proofmark.suite.json;

/** A string, its escapes resolved. */
final class StringValue extends Value {
    private final String text;

    StringValue(String text) {
        this.text = text;
    }

    @Override
    public void countIn(Census census) {
        census.addText(text);
    }
}
