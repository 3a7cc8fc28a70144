package proofmark.suite.json;

/** Reads one JSON text by recursive descent, one character ahead. */
public final class Parser {
    private static final int END = -1;

    private final String text;
    private int position;
    private int current;

    private Parser(String text) {
        this.text = text;
        this.position = -1;
        advance();
    }

    /** The value that {@code text} holds. */
    public static Value parse(String text) {
        Parser parser = new Parser(text);
        parser.skipSpace();
        Value value = parser.readValue();
        parser.skipSpace();
        if (parser.current != END) {
            throw parser.unexpected("end of text");
        }
        return value;
    }

    private Value readValue() {
        switch (current) {
            case '{':
                return readObject();
            case '[':
                return readArray();
            case '"':
                return new StringValue(readString());
            case 't':
                return readLiteral(Literal.TRUE);
            case 'f':
                return readLiteral(Literal.FALSE);
            case 'n':
                return readLiteral(Literal.NULL);
            default:
                return readNumber();
        }
    }

    private ObjectValue readObject() {
        ObjectValue object = new ObjectValue();
        advance();
        skipSpace();
        if (skip('}')) {
            return object;
        }
        do {
            skipSpace();
            String name = readString();
            skipSpace();
            require(':');
            skipSpace();
            object.put(name, readValue());
            skipSpace();
        } while (skip(','));
        require('}');
        return object;
    }

    private ArrayValue readArray() {
        ArrayValue array = new ArrayValue();
        advance();
        skipSpace();
        if (skip(']')) {
            return array;
        }
        do {
            skipSpace();
            array.add(readValue());
            skipSpace();
        } while (skip(','));
        require(']');
        return array;
    }

    private Literal readLiteral(Literal literal) {
        String word = literal.word();
        for (int i = 0; i < word.length(); i++) {
            require(word.charAt(i));
        }
        return literal;
    }

    private String readString() {
        require('"');
        int start = position;
        StringBuilder unescaped = null;
        while (current != '"') {
            if (current < ' ') {
                throw unexpected("character of a string");
            }
            if (current != '\\') {
                advance();
                continue;
            }
            if (unescaped == null) {
                unescaped = new StringBuilder();
            }
            unescaped.append(text, start, position);
            unescaped.append(readEscape());
            start = position;
        }
        String rest = text.substring(start, position);
        advance();
        return unescaped == null ? rest : unescaped.append(rest).toString();
    }

    private char readEscape() {
        advance();
        int escape = current;
        advance();
        switch (escape) {
            case '"':
            case '\\':
            case '/':
                return (char) escape;
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u':
                return readHexadecimal();
            default:
                throw unexpected("escape");
        }
    }

    private char readHexadecimal() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(current, 16);
            if (digit < 0) {
                throw unexpected("hexadecimal digit");
            }
            code = code * 16 + digit;
            advance();
        }
        return (char) code;
    }

    private NumberValue readNumber() {
        int start = position;
        skip('-');
        if (!skip('0')) {
            readDigits();
        }
        if (skip('.')) {
            readDigits();
        }
        if (skip('e') || skip('E')) {
            if (!skip('+')) {
                skip('-');
            }
            readDigits();
        }
        return new NumberValue(text.substring(start, position));
    }

    private void readDigits() {
        if (!isDigit()) {
            throw unexpected("digit");
        }
        while (isDigit()) {
            advance();
        }
    }

    private boolean isDigit() {
        return current >= '0' && current <= '9';
    }

    private void skipSpace() {
        while (current == ' ' || current == '\n' || current == '\t' || current == '\r') {
            advance();
        }
    }

    private boolean skip(char wanted) {
        if (current != wanted) {
            return false;
        }
        advance();
        return true;
    }

    private void require(char wanted) {
        if (!skip(wanted)) {
            throw unexpected("'" + wanted + "'");
        }
    }

    private void advance() {
        position++;
        current = position < text.length() ? text.charAt(position) : END;
    }

    private IllegalStateException unexpected(String wanted) {
        return new IllegalStateException("expected " + wanted + " at position " + position);
    }
}
