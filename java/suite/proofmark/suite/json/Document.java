package proofmark.suite.json;

import proofmark.suite.Lcg;

/** Composes the document: an invented survey of lighthouses with every kind of JSON value and escape in it. */
public final class Document {
    private static final int LIGHTHOUSES = 82;

    private static final String[] NAMES = {
        "North Skerry", "Gull Point", "Old Head", "Three Sisters", "Cape \\\"Wrong\\\"", "Fogbank", "\\u00cele Grise",
        "Tern Rock",
    };

    private static final String[] COLOURS = {"white", "red", "green", "amber"};

    private static final String[] REMARKS = {
        "Lens cleaned, clockwork wound.\\nThe keeper asks for oil.",
        "Stairs repaired up to the third landing; see\\tdrawing 7\\/b.",
        "Nothing to report.",
        "Storm damage on the gallery rail, north side. \\u201cUnsafe\\u201d, says the mate.",
    };

    private final Lcg random = new Lcg();
    private final StringBuilder text = new StringBuilder();

    private Document() {}

    /** The document, the same every time. */
    public static String text() {
        Document document = new Document();
        document.writeSurvey();
        return document.text.toString();
    }

    /** A number below {@code bound} from the upper bits, since the lowest ones of the generator repeat soon. */
    private int pick(int bound) {
        return (random.next() >> 4) % bound;
    }

    private void writeSurvey() {
        text.append("{\n  \"survey\": \"Lights of the western approaches\",\n  \"year\": 1911,\n  \"final\": false,\n");
        text.append("  \"supersedes\": null,\n  \"empty\": [ {}, [] ],\n");
        text.append("  \"escapes\": \"\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u20AC\",\n  \"lights\": [\n");
        for (int i = 0; i < LIGHTHOUSES; i++) {
            writeLighthouse(i);
            text.append(i < LIGHTHOUSES - 1 ? ",\n" : "\n");
        }
        text.append("  ]\n}\n");
    }

    private void writeLighthouse(int number) {
        text.append("    {\n      \"number\": ").append(number);
        text.append(",\n      \"name\": \"").append(NAMES[pick(NAMES.length)]).append('"');
        text.append(",\n      \"position\": { \"north\": ").append(50 + pick(9));
        text.append('.').append(1000 + pick(9000)).append(", \"east\": -").append(pick(10));
        text.append('.').append(1000 + pick(9000)).append(" }");
        text.append(",\n      \"manned\": ").append(pick(3) > 0);
        text.append(",\n      \"candela\": ").append(1 + pick(9)).append("e+").append(3 + pick(3));
        text.append(",\n      \"keeper\": ");
        text.append(pick(4) == 0 ? "null" : "\"No. " + pick(500) + "\"");
        writeFlashes();
        writeVisits();
        text.append("\n    }");
    }

    private void writeFlashes() {
        text.append(",\n      \"flashes\": [");
        int flashes = 2 + pick(4);
        for (int i = 0; i < flashes; i++) {
            text.append(i == 0 ? " " : ", ").append("[ \"").append(COLOURS[pick(COLOURS.length)]);
            text.append("\", ").append(pick(3000)).append(" ]");
        }
        text.append(" ]");
    }

    private void writeVisits() {
        text.append(",\n      \"visits\": [");
        int visits = pick(4);
        for (int i = 0; i < visits; i++) {
            text.append(i == 0 ? "\n" : ",\n").append("        { \"day\": ").append(1 + pick(365));
            text.append(", \"remark\": \"").append(REMARKS[pick(REMARKS.length)]).append("\" }");
        }
        text.append(" ]");
    }
}
