package proofmark.harness;

import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Somebody's {@code main}. Its result is the hash of what it printed and its normal return; exiting
 * with status 0 counts as a normal return (see {@link Exit}).
 */
final class MainWorkload extends Workload {
    private final Method main;
    private final String[] arguments;
    private final Digesting output = new Digesting();
    /** The same in all iterations, and there before the class is: programs keep System.out in static fields. */
    private final PrintStream stream = new PrintStream(output, false, StandardCharsets.UTF_8);

    MainWorkload(String className, String[] arguments) throws ReflectiveOperationException {
        System.setOut(stream);
        main = Class.forName(className, true, ClassLoader.getSystemClassLoader()).getMethod("main", String[].class);
        main.setAccessible(true);
        this.arguments = arguments;
        // What a static initializer prints comes only once.
        stream.flush();
        output.take();
    }

    @Override
    String iterate() throws Throwable {
        System.setOut(stream);
        try {
            call(main, null, (Object) arguments.clone());
        } catch (Exit.Requested exit) {
            if (exit.status != 0) {
                throw new WrongResult("the program exited with status " + exit.status);
            }
        }
        stream.flush();
        return output.take();
    }

    /** Hashes what is written. */
    private static final class Digesting extends OutputStream {
        private final MessageDigest digest;
        private long bytes;

        Digesting() {
            try {
                digest = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        }

        @Override
        public void write(int b) {
            digest.update((byte) b);
            bytes++;
        }

        @Override
        public void write(byte[] b, int offset, int length) {
            digest.update(b, offset, length);
            bytes += length;
        }

        /** What was written since the last call. */
        String take() {
            String text = bytes + " bytes of output (SHA-256 " + HexFormat.of().formatHex(digest.digest(), 0, 8) + "...)";
            bytes = 0;
            return text;
        }
    }
}
