/** A stack that overflows in synchronized blocks, again and again: the lock is free afterwards. */
public final class Overflowing {
    /** Small stacks are soon full. */
    private static final long STACK = 256 << 10;
    /** So many that the methods are interpreted in the first ones and compiled in the last ones. */
    private static final int ROUNDS = 40;
    private static final Object LOCK = new Object();
    private static String said;
    private static boolean held;

    private Overflowing() {
    }

    static int deeper(int n) {
        synchronized (LOCK) {
            return deeper(n + 1) + 1;
        }
    }

    /** Frames of another size. */
    static long wider(long a, long b, int n) {
        synchronized (LOCK) {
            long c = 31 * a + b;
            return wider(b, c, n + 1) ^ a ^ c;
        }
    }

    /** What is called below so many frames overflows elsewhere in the block. */
    static long below(int frames, boolean wide) {
        if (frames > 0) {
            return below(frames - 1, wide) + 1;
        }
        return wide ? wider(1, 2, 0) : deeper(0);
    }

    static void overflow(int round) {
        try {
            below(round % 4, round % 2 == 1);
            said = "ends";
        } catch (StackOverflowError expected) {
            said = "overflows";
        }
        held = Thread.holdsLock(LOCK);
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            int number = round;
            said = "fails";
            Thread deep = new Thread(null, () -> overflow(number), "deep", STACK);
            deep.start();
            deep.join();
            System.out.println(round + " " + said);
            if (held) {
                // The next thread would wait for ever.
                System.out.println("the lock is held");
                return;
            }
        }
        Thread other = new Thread(() -> {
            synchronized (LOCK) {
                System.out.println("the lock is free");
            }
        });
        other.start();
        other.join();
    }
}
