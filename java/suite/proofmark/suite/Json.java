package proofmark.suite;

import proofmark.suite.json.Census;
import proofmark.suite.json.Document;
import proofmark.suite.json.Parser;

/**
 * JSON: parses a document of about 35 kB into a tree and takes a census of the tree.
 *
 * <p>Size: a survey of 82 lighthouses, composed by {@link Document}. Expected: the counts below, found also by an
 * independent parser (Python's) in the same text.
 *
 * <p>Described in: RFC 8259; a recursive-descent parser that looks one character ahead.
 */
public final class Json extends Program {
    private static final String COUNTS = "330 objects of 1155 members, 385 arrays of 902 elements, "
            + "547 strings of 8301 characters summing to 770676, 711 numbers summing to 14432441, 85 literals";

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
        return 80;
    }
}
