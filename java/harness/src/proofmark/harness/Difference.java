package proofmark.harness;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Where two outputs part, for people. */
final class Difference {
    /** Most of a line that is shown, in bytes. */
    private static final int SHOWN = 160;
    /** Most of that in front of the first byte that differs. */
    private static final int BEFORE = 40;

    private Difference() {
    }

    /** The number of the first line that differs, and behind it both versions on lines of their own; null where all bytes are the same. */
    static String of(byte[] first, byte[] later, String advice) {
        int at = Arrays.mismatch(first, later);
        if (at < 0) {
            return null;
        }
        int begin = 0;
        int line = 1;
        for (int i = 0; i < at; i++) {
            if (first[i] == '\n') {
                begin = i + 1;
                line++;
            }
        }
        return "printed another line " + line + " than the first one" + advice + "\n  | first: " + excerpt(first, begin, at) + "\n  | then:  "
                + excerpt(later, begin, at);
    }

    /** Of the line that begins there what is around the byte that differs. */
    private static String excerpt(byte[] output, int begin, int at) {
        if (begin >= output.length) {
            return "(nothing more)";
        }
        int end = begin;
        while (end < output.length && output[end] != '\n') {
            end++;
        }
        int from = Math.max(begin, at - BEFORE);
        while (from < at && isInside(output[from])) {
            from++;
        }
        int to = Math.min(end, from + SHOWN);
        while (to > from && to < end && isInside(output[to])) {
            to--;
        }
        String text = new String(output, from, to - from, StandardCharsets.UTF_8).replace('\t', ' ');
        return (from > begin ? "..." : "") + harmless(text) + (to < end ? "..." : "");
    }

    /** Whether a byte is one of a character, and not its first. */
    private static boolean isInside(byte b) {
        return (b & 0xc0) == 0x80;
    }

    /** Without what a terminal would obey, such as escape sequences. */
    private static String harmless(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "\ufffd");
    }
}
