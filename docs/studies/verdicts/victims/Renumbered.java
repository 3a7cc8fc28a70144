/**
 * The loop of JDK-8201516. C2 numbers the nodes of its graph anew where many of them are dead; until that was repaired (in
 * 17.0.8, 20.0.2 and 21) it left the table of their source positions as it was, so that under {@code DebugNonSafepoints} a loop's time
 * was shown in whatever method had had its numbers. Here {@code constants} calls {@code folded} 28 times with constants, all
 * of which is inlined into {@code step} and computed by the compiler: thousands of dead nodes, no instruction.
 *
 * <p>Truth: the time is that of the loop in {@code copy}, for with a length of 0 it is gone; {@code folded} and {@code constants}
 * take none.
 */
public final class Renumbered implements Clock.Victim {
    private static final int ROUNDS = 10_000;
    private static final int LENGTH = 16_384;
    private static final byte[] FROM = new byte[LENGTH];
    private static final byte[] TO = new byte[LENGTH];
    private static int length = LENGTH;

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            Clock.tell(new Renumbered(), "Renumbered.copy", "Renumbered.folded Renumbered.constants");
        } else {
            System.out.println(new Renumbered().run());
        }
    }

    @Override
    public void set(boolean whole) {
        length = whole ? LENGTH : 0;
    }

    @Override
    public long run() {
        long state = 1;
        for (int round = 0; round < ROUNDS; round++) {
            state = step(state);
        }
        return state;
    }

    private static long step(long state) {
        copy(FROM, TO, length);
        return 31 * state + constants() + TO[(int) state & (LENGTH - 1)];
    }

    private static void copy(byte[] from, byte[] to, int bytes) {
        for (int i = 0; i < bytes; i++) {
            to[i] = from[i];
        }
    }

    private static int constants() {
        return folded(1) ^ folded(2) ^ folded(3) ^ folded(4) ^ folded(5) ^ folded(6) ^ folded(7)
                ^ folded(8) ^ folded(9) ^ folded(10) ^ folded(11) ^ folded(12) ^ folded(13) ^ folded(14)
                ^ folded(15) ^ folded(16) ^ folded(17) ^ folded(18) ^ folded(19) ^ folded(20) ^ folded(21)
                ^ folded(22) ^ folded(23) ^ folded(24) ^ folded(25) ^ folded(26) ^ folded(27) ^ folded(28);
    }

    /** Below 325 bytes of bytecode: else it would not be inlined. */
    private static int folded(int start) {
        int x = start;
        x = x * 31 + 1 ^ x >>> 3;
        x = x * 33 + 2 ^ x >>> 4;
        x = x * 35 + 3 ^ x >>> 5;
        x = x * 37 + 4 ^ x >>> 3;
        x = x * 39 + 5 ^ x >>> 4;
        x = x * 41 + 6 ^ x >>> 5;
        x = x * 43 + 7 ^ x >>> 3;
        x = x * 45 + 8 ^ x >>> 4;
        x = x * 47 + 9 ^ x >>> 5;
        x = x * 49 + 10 ^ x >>> 3;
        x = x * 51 + 11 ^ x >>> 4;
        x = x * 53 + 12 ^ x >>> 5;
        x = x * 55 + 13 ^ x >>> 3;
        x = x * 57 + 14 ^ x >>> 4;
        x = x * 59 + 15 ^ x >>> 5;
        x = x * 61 + 16 ^ x >>> 3;
        x = x * 63 + 17 ^ x >>> 4;
        x = x * 65 + 18 ^ x >>> 5;
        x = x * 67 + 19 ^ x >>> 3;
        return x * 69 + 20 ^ x >>> 4;
    }
}
