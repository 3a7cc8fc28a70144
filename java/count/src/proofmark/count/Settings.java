package proofmark.count;

/** What was asked for: {@code name=value} lines. */
final class Settings {
    /** Whoever rewrites the program replaces this text in the class file. */
    private static final String GIVEN = "@proofmark-count-settings@";

    /** A profile in which every block is charged to its context, not a sampled one. */
    static final boolean EXACT = get("mode", "sampled").equals("exact");
    /** The JDK's classes are counted: this class is one of them, and the JVM has hardly started. */
    static final boolean JDK = get("scope", "application").equals("jdk");
    /** Bytecodes between two samples. */
    static final long GRANULARITY = Math.max(1, number("granularity", 10_000));
    /** So many bytecodes, less one, may be added to each distance. */
    static final long RANDOM = Math.max(0, number("random", 0));
    /** Of the threads' generators. */
    static final long SEED = number("seed", 1);
    /** Where the profile goes. */
    static final String OUTPUT = get("output", "proofmark-count.profile");
    /** Class of a user's agent; empty for the calling-context tree. */
    static final String AGENT = get("agent", "");
    /** No JVMTI agent will ask for the profile at the end. */
    static final boolean ALONE = get("alone", "true").equals("true");

    private Settings() {
    }

    private static long number(String name, long otherwise) {
        String text = get(name, "");
        try {
            return text.isEmpty() ? otherwise : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("proofmark.count." + name + " is no number: " + text);
        }
    }

    private static String get(String name, String otherwise) {
        String given = find(name);
        // While the JVM starts there are no properties yet.
        if (!"true".equals(find("fixed"))) {
            given = System.getProperty("proofmark.count." + name, given);
        }
        return given == null ? otherwise : given;
    }

    private static String find(String name) {
        for (int begin = 0, end; begin < GIVEN.length(); begin = end + 1) {
            end = GIVEN.indexOf('\n', begin);
            if (end < 0) {
                end = GIVEN.length();
            }
            int value = begin + name.length() + 1;
            if (value <= end && GIVEN.startsWith(name, begin) && GIVEN.charAt(value - 1) == '=') {
                return GIVEN.substring(value, end);
            }
        }
        return null;
    }
}
