package proofmark.jmh;

import java.lang.invoke.MethodHandle;

/**
 * Calls a benchmark again and again. The compiler sees what is called and inlines it here, and nothing of this into the
 * harness (the options of the JVM forbid it): the loop with all that is inlined into it is the program under test, and so it
 * is in a package of its own.
 */
public final class Loop {
    /** A constant for the compiler. */
    private static final MethodHandle BODY = Body.given;
    /** Never set. It is read before every call, so that no load and no work is moved out of the loop. */
    private static volatile boolean ended;

    private Loop() {
    }

    /** What is called. */
    public static final class Body {
        private static MethodHandle given;

        private Body() {
        }

        /** Once, before the loop first runs. {@code handle} takes nothing and returns nothing. */
        public static void give(MethodHandle handle) {
            given = handle;
        }
    }

    /** So many calls. */
    public static void run(int times) throws Throwable {
        for (int i = 0; i < times && !ended; i++) {
            BODY.invokeExact();
        }
    }
}
