package proofmark.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON: objects become maps, arrays lists, numbers {@link Long} or {@link Double}. */
final class JsonReader {
    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    static Object read(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value();
        if (reader.peek() != 0) {
            throw reader.unexpected();
        }
        return value;
    }

    private Object value() {
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    /** The next character that means something; 0 at the end. */
    private char peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void expect(char c) {
        if (peek() != c) {
            throw unexpected();
        }
        at++;
    }

    /** Behind an item: whether another one follows or the list is closed. */
    private boolean more(char closer) {
        if (peek() == closer) {
            at++;
            return false;
        }
        expect(',');
        return true;
    }

    private Map<String, Object> object() {
        Map<String, Object> fields = new LinkedHashMap<>();
        expect('{');
        if (peek() == '}') {
            at++;
            return fields;
        }
        do {
            peek();
            String name = string();
            expect(':');
            fields.put(name, value());
        } while (more('}'));
        return fields;
    }

    private List<Object> array() {
        List<Object> items = new ArrayList<>();
        expect('[');
        if (peek() == ']') {
            at++;
            return items;
        }
        do {
            items.add(value());
        } while (more(']'));
        return items;
    }

    private Object word(String word, Object meaning) {
        if (!text.startsWith(word, at)) {
            throw unexpected();
        }
        at += word.length();
        return meaning;
    }

    private Object number() {
        int begin = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String digits = text.substring(begin, at);
        if (digits.isEmpty()) {
            throw unexpected();
        }
        boolean whole = digits.chars().noneMatch(c -> c == '.' || c == 'e' || c == 'E');
        return whole ? (Object) Long.valueOf(digits) : Double.valueOf(digits);
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return out.toString();
            }
            out.append(c == '\\' ? escaped() : c);
        }
        throw unexpected();
    }

    private char escaped() {
        char c = at < text.length() ? text.charAt(at++) : 0;
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case '"', '\\', '/' -> c;
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text, at - 4, at, 16);
            }
            default -> throw unexpected();
        };
    }

    private IllegalArgumentException unexpected() {
        return new IllegalArgumentException("not JSON at character " + at + ": " + text.substring(Math.min(at, text.length())));
    }
}
