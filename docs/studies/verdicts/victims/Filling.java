import java.util.Arrays;

/**
 * Nearly all of the time is one {@link Arrays#fill} in {@code fill}; {@code next}, the call right behind it, reads one
 * element. On some processors C2 calls a stub for the loop in {@code Arrays.fill}, on others it makes vector instructions.
 *
 * <p>Truth: the time is that of {@code fill} or of {@code Arrays.fill}, which it calls, for without it (nothing to fill)
 * that time is gone.
 */
public final class Filling implements Clock.Victim {
    private static final int ROUNDS = 20_000;
    private static final int LENGTH = 16_384;
    private static final byte[] BYTES = new byte[LENGTH];
    private static int length = LENGTH;

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            Clock.tell(new Filling(), "Filling.fill java.util.Arrays.fill", "");
        } else {
            System.out.println(new Filling().run());
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
            fill(length, (byte) round);
            state = next(state);
        }
        return state;
    }

    private static void fill(int to, byte value) {
        Arrays.fill(BYTES, 0, to, value);
    }

    private static long next(long state) {
        long x = state + BYTES[(int) state & (LENGTH - 1)];
        x ^= x << 13;
        x ^= x >>> 7;
        return x ^ x << 17;
    }
}
