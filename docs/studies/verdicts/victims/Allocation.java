/**
 * {@code make} allocates arrays that do not fit into what the thread has in reserve (the options say so), so that each one is
 * made and cleared by the JVM itself, outside of Java; {@code use} reads one element and computes a little.
 *
 * <p>Truth: the time is {@code make}'s, for with arrays of 16 bytes, which do fit, it is gone. Collections run in another
 * thread, whose time does not count. A profiler that does not look into the JVM sees {@code use} alone.
 */
public final class Allocation implements Clock.Victim {
    private static final int ROUNDS = 300;
    private static final int LENGTH = 1 << 16;
    private static final int SHORT = 1 << 4;
    private static int length = LENGTH;
    /** Else the compiler might leave out what is not kept. */
    private static byte[] kept;

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            Clock.tell(new Allocation(), "Allocation.make", "");
        } else {
            System.out.println(new Allocation().run());
        }
    }

    @Override
    public void set(boolean whole) {
        length = whole ? LENGTH : SHORT;
    }

    @Override
    public long run() {
        long state = 1;
        for (int round = 0; round < ROUNDS; round++) {
            state = use(make(length), state);
        }
        return state;
    }

    private static byte[] make(int bytes) {
        byte[] made = new byte[bytes];
        kept = made;
        return made;
    }

    private static long use(byte[] made, long state) {
        long x = state + made[(int) state & (made.length - 1)];
        for (int i = 0; i < 16; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }
}
