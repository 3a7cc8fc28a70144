package proofmark.harness;

import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * Whether every iteration prints what the first one did: byte by byte as far as that is kept, by its length and two checksums behind.
 * This is done between iterations, outside of their clocks, and profiles leave it out by the name of this class.
 */
final class Comparison {
    /** So many bytes of the first output are kept. */
    private static final int KEPT = 1 << 20;
    /** Of an output that differs so many bytes are shown to {@link Difference} from the first one on that differs: more than a line has room for. */
    private static final int SHOWN = 1 << 10;
    private static final String ADVICE = "; " + Workload.SAME_WORK + ". Let it print times and the like to standard error, which is not "
            + "compared, or not at all: no option leaves lines out";

    private final CRC32 crc32 = new CRC32();
    private final CRC32C crc32c = new CRC32C();
    /** The beginning of what the first iteration printed; so many of the bytes are it. */
    private byte[] first = new byte[64];
    private int kept;
    /** How much the first iteration printed, and the checksums of what is not kept. */
    private long length;
    private long sums;
    /** Iterations that have ended. */
    private long iterations;
    /** Bytes of the one that has not. */
    private long at;
    /** What it printed otherwise, for people; null as long as it is the same. */
    private String difference;
    private String unlike;

    /** An iteration has printed this, behind what was added before. */
    void add(byte[] bytes, int offset, int count) {
        if (iterations == 0) {
            keep(bytes, offset, Math.min(count, KEPT - kept));
        } else if (difference == null) {
            compare(bytes, offset, count);
        }
        int behind = (int) Math.min(count, Math.max(0, at + count - KEPT));
        if (behind > 0) {
            crc32.update(bytes, offset + count - behind, behind);
            crc32c.update(bytes, offset + count - behind, behind);
        }
        at += count;
    }

    private void keep(byte[] bytes, int offset, int count) {
        if (kept + count > first.length) {
            first = Arrays.copyOf(first, Math.min(KEPT, Math.max(2 * first.length, kept + count)));
        }
        System.arraycopy(bytes, offset, first, kept, count);
        kept += count;
    }

    private void compare(byte[] bytes, int offset, int count) {
        int from = (int) Math.min(at, kept);
        int both = Math.min(count, kept - from);
        int same = Arrays.mismatch(first, from, from + both, bytes, offset, offset + both);
        if (same < 0 && (both == count || kept == KEPT)) {
            return;
        }
        // Where all that both have is the same, the first one printed less.
        int shown = Math.min(count, (same < 0 ? both : same) + SHOWN);
        byte[] then = Arrays.copyOf(first, from + shown);
        System.arraycopy(bytes, offset, then, from, shown);
        difference = Difference.of(Arrays.copyOf(first, kept), then, ADVICE);
    }

    /** An iteration has ended. */
    void end() {
        iterations++;
        long now = crc32.getValue() << 32 | crc32c.getValue();
        if (iterations == 1) {
            length = at;
            sums = now;
        } else if (difference == null && at < kept) {
            difference = Difference.of(Arrays.copyOf(first, kept), Arrays.copyOf(first, (int) at), ADVICE);
        } else if (difference == null && (at != length || now != sums)) {
            difference = "gave " + said(at, now) + ", the first one " + said(length, sums) + ADVICE;
        }
        if (difference != null && unlike == null) {
            unlike = "iteration " + iterations + " " + difference;
        }
        at = 0;
        crc32.reset();
        crc32c.reset();
    }

    private static String said(long bytes, long sums) {
        return bytes + " bytes of output (behind the first " + KEPT + " with the checksums " + Long.toHexString(sums) + ")";
    }

    /** The first iteration that printed something else, by its number, and what; null where none has. */
    String unlike() {
        return unlike;
    }
}
