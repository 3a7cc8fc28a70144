import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Activations that end in the middle: once, in the first iteration that finds the file named by the
 * property {@code leak}. Also work for several threads.
 */
public final class EventLeaks {
    /** So many that an iteration is never so short that the harness measures several together. */
    static final int CALLS = 30_000;
    static final Object[] STRINGS = new Object[64];
    static final Object[] SPOILT = new Object[64];
    static boolean leaked;
    static int caught;

    static final class Holder {
        int value = 1;
    }

    static {
        for (int i = 0; i < STRINGS.length; i++) {
            STRINGS[i] = "s" + i;
            SPOILT[i] = i == 40 ? (Object) 40 : STRINGS[i];
        }
    }

    /** Its null check is a trap of the machine, behind which no code of the unit runs any more. */
    static int trapping(Holder holder) {
        return holder.value + 1;
    }

    /** Leaves its loop, whose counts are in registers, for the interpreter. */
    static int casting(Object[] objects) {
        int length = 0;
        for (int i = 0; i < objects.length; i++) {
            length += ((String) objects[i]).length();
        }
        return length;
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    public static String run() throws Exception {
        Holder holder = new Holder();
        int s = 0;
        for (int i = 0; i < CALLS; i++) {
            s += trapping(holder) + casting(STRINGS);
        }
        if (!leaked && Files.exists(Path.of(System.getProperty("leak")))) {
            leaked = true;
            try {
                trapping(null);
            } catch (NullPointerException e) {
                caught++;
            }
            try {
                casting(SPOILT);
            } catch (ClassCastException e) {
                caught++;
            }
        }
        Thread[] threads = new Thread[6];
        for (int i = 0; i < threads.length; i++) {
            Runnable work = () -> fib(17);
            threads[i] = i % 2 == 0 ? Thread.ofPlatform().start(work) : Thread.ofVirtual().start(work);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return Integer.toString(s);
    }
}
