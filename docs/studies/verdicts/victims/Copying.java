/**
 * Nearly all of the time is one {@link System#arraycopy} in {@code copy}. The JVM calls a stub for it, which is no Java
 * method and has no debug information; {@code next}, the call right behind it, reads one element of the copy.
 *
 * <p>Truth: the copy's time is {@code copy}'s, for without it (a length of 0) that time is gone. A profiler that looks for
 * the next position behind the stub's call finds {@code next}.
 */
public final class Copying implements Clock.Victim {
    private static final int ROUNDS = 20_000;
    private static final int LENGTH = 8_192;
    private static final byte[] FROM = numbered();
    private static final byte[] TO = new byte[LENGTH];
    private static int length = LENGTH;

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            Clock.tell(new Copying(), "Copying.copy java.lang.System.arraycopy", "");
        } else {
            System.out.println(new Copying().run());
        }
    }

    private static byte[] numbered() {
        byte[] bytes = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            bytes[i] = (byte) (i * 37);
        }
        return bytes;
    }

    @Override
    public void set(boolean whole) {
        length = whole ? LENGTH : 0;
    }

    @Override
    public long run() {
        long state = 1;
        for (int round = 0; round < ROUNDS; round++) {
            copy(length);
            state = next(state);
        }
        return state;
    }

    private static void copy(int bytes) {
        System.arraycopy(FROM, 0, TO, 0, bytes);
    }

    private static long next(long state) {
        long x = state + TO[(int) state & (LENGTH - 1)];
        x ^= x << 13;
        x ^= x >>> 7;
        return x ^ x << 17;
    }
}
