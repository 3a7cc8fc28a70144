package proofmark.graal;

/** Writes one line of JSON. Values are numbers, booleans and strings; nesting is the caller's. */
public final class Json {
    private final StringBuilder out = new StringBuilder();
    private final StringBuilder closers = new StringBuilder();
    private boolean comma;

    private void separate() {
        if (comma) {
            out.append(',');
        }
        comma = true;
    }

    private Json open(char opener, char closer) {
        out.append(opener);
        closers.append(closer);
        comma = false;
        return this;
    }

    private Json name(String name) {
        separate();
        quote(name);
        out.append(':');
        return this;
    }

    public Json object() {
        separate();
        return open('{', '}');
    }

    public Json object(String name) {
        name(name);
        return open('{', '}');
    }

    public Json array() {
        separate();
        return open('[', ']');
    }

    public Json array(String name) {
        name(name);
        return open('[', ']');
    }

    /** Closes what was opened last. */
    public Json end() {
        int last = closers.length() - 1;
        out.append(closers.charAt(last));
        closers.setLength(last);
        comma = true;
        return this;
    }

    public Json field(String name, long value) {
        name(name);
        out.append(value);
        return this;
    }

    public Json field(String name, double value) {
        name(name);
        number(value);
        return this;
    }

    public Json field(String name, boolean value) {
        name(name);
        out.append(value);
        return this;
    }

    /** A null string becomes JSON null. */
    public Json field(String name, String value) {
        name(name);
        if (value == null) {
            out.append("null");
        } else {
            quote(value);
        }
        return this;
    }

    /** The value, or JSON null where it equals {@code absent}. */
    public Json optional(String name, long value, long absent) {
        return value == absent ? field(name, (String) null) : field(name, value);
    }

    public Json value(long value) {
        separate();
        out.append(value);
        return this;
    }

    public Json value(String value) {
        separate();
        quote(value);
        return this;
    }

    private void number(double value) {
        if (Double.isFinite(value)) {
            out.append(value);
        } else {
            out.append("null");
        }
    }

    private void quote(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20 || Character.isSurrogate(c)) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
