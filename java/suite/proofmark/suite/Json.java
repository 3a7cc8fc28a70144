package proofmark.suite;

import proofmark.suite.json.Census;
import proofmark.suite.json.Document;
import proofmark.suite.json.Parser;

/**
 * JSON: parses a document of about 35 kB into a tree and takes a census of the tree.
 *
 * <p>Size: a survey of 93 lighthouses, composed by {@link Document}. Expected: the counts below, found also by an
 * independent parser (Python's) in the same text.
 *
 * <p>Described in: RFC 8259; a recursive-descent parser that looks one character ahead.
 */
public final class Json extends Program {
    private static final String COUNTS = "280 objects of 1120 members, 560 arrays of 1300 elements, "
            + "649 strings of 6777 characters summing to 639261, 836 numbers summing to 17493461, 96 literals";

    private static final String TEXT = Document.text();

    @Override
    public Object run() {
        Census census = new Census();
        Parser.parse(TEXT).countIn(census);
        return census.toString();
    }

    @Override
    public boolean check(Object result) {
        return result.equals(COUNTS);
    }

    @Override
    public int repetitions() {
        return 20;
    }
}
