package proofmark.harness;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the program prints. It is only held here, as the buffer of a usual standard output does it, and {@linkplain Comparison compared}
 * between iterations: only where more is printed than can be held, in the middle of one.
 */
final class Printed extends OutputStream {
    /** Bytes that can be held. */
    private static final int HELD = 1 << 19;
    /** Iterations whose output can be held. */
    private static final int ENDS = 1 << 12;
    /** So many lines are shown of a program that fails. */
    private static final int LAST = 3;

    private final byte[] held = new byte[HELD];
    private int used;
    /** Where iterations end in what is held. */
    private final int[] ends = new int[ENDS];
    private int ended;
    private Comparison comparison = new Comparison();

    @Override
    public void write(int b) {
        if (used == HELD) {
            compare();
        }
        held[used++] = (byte) b;
    }

    @Override
    public void write(byte[] b, int offset, int length) {
        if (length > HELD - used) {
            compare();
        }
        if (length > HELD) {
            comparison.add(b, offset, length);
            return;
        }
        System.arraycopy(b, offset, held, used, length);
        used += length;
    }

    /** An iteration has ended. */
    void endIteration() {
        if (ended == ENDS) {
            compare();
        }
        ends[ended++] = used;
    }

    /** What was printed until now belongs to no iteration; none has begun. */
    void forget() {
        used = 0;
        comparison = new Comparison();
    }

    /** The first iteration that printed something else than the first one, by its number, and what; null where none has. */
    String unlike() {
        compare();
        return comparison.unlike();
    }

    private void compare() {
        int from = 0;
        for (int at = 0; at < ended; at++) {
            comparison.add(held, from, ends[at] - from);
            comparison.end();
            from = ends[at];
        }
        comparison.add(held, from, used - from);
        used = 0;
        ended = 0;
    }

    /** The last lines that the iteration has printed which has not ended, as far as they are held, each behind a line feed. */
    String lastLines() {
        int from = ended == 0 ? 0 : ends[ended - 1];
        List<String> lines = new String(held, from, used - from, StandardCharsets.UTF_8).lines().filter(line -> !line.isBlank()).toList();
        return lines.stream().skip(Math.max(0, lines.size() - LAST)).map(line -> "\n" + line).collect(Collectors.joining());
    }
}
