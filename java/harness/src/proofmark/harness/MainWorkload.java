package proofmark.harness;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
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
    private final PrintStream original = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    MainWorkload(String className, String[] arguments) throws ReflectiveOperationException {
        main = Class.forName(className, true, ClassLoader.getSystemClassLoader()).getMethod("main", String[].class);
        main.setAccessible(true);
        this.arguments = arguments;
    }

    @Override
    String iterate() throws Throwable {
        Digesting output = new Digesting();
        PrintStream stream = new PrintStream(output, false, StandardCharsets.UTF_8);
        System.setOut(stream);
        try {
            call(main, null, (Object) arguments.clone());
        } catch (Exit.Requested exit) {
            if (exit.status != 0) {
                throw new WrongResult("the program exited with status " + exit.status);
            }
        } finally {
            stream.flush();
            System.setOut(original);
        }
        return output.bytes + " bytes, SHA-256 " + output.hex();
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

        String hex() {
            return HexFormat.of().formatHex(digest.digest());
        }
    }
}
