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
        separate();
        out.append(opener);
        closers.append(closer);
        comma = false;
        return this;
    }

    /** Begins a field; its value comes next. */
    public Json name(String name) {
        separate();
        quote(name);
        out.append(':');
        comma = false;
        return this;
    }

    public Json object() {
        return open('{', '}');
    }

    public Json array() {
        return open('[', ']');
    }

    public Json array(String name) {
        return name(name).array();
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
        return name(name).value(value);
    }

    public Json field(String name, double value) {
        return name(name).value(value);
    }

    public Json field(String name, boolean value) {
        return name(name).value(value);
    }

    public Json field(String name, String value) {
        return name(name).value(value);
    }

    /** The value, or JSON null where it equals {@code absent}. */
    public Json optional(String name, long value, long absent) {
        return value == absent ? field(name, null) : field(name, value);
    }

    public Json value(long value) {
        separate();
        out.append(value);
        return this;
    }

    /** JSON has no infinity and no NaN: null stands for them. */
    public Json value(double value) {
        separate();
        out.append(Double.isFinite(value) ? Double.toString(value) : "null");
        return this;
    }

    public Json value(boolean value) {
        separate();
        out.append(value);
        return this;
    }

    /** A null string becomes JSON null. */
    public Json value(String value) {
        separate();
        if (value == null) {
            out.append("null");
        } else {
            quote(value);
        }
        return this;
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
                    if (c < 0x20) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else if (Character.isSurrogate(c) && !paired(text, i)) {
                        // Legal in a Java name, and nowhere else.
                        out.append('\uFFFD');
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static boolean paired(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at)) ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
