package proofmark.suite.json;

/** One of the three literals. */
final class Literal extends Value {
    static final Literal TRUE = new Literal("true");
    static final Literal FALSE = new Literal("false");
    static final Literal NULL = new Literal("null");

    private final String word;

    private Literal(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }

    @Override
    public void countIn(Census census) {
        census.addLiteral();
    }
}
