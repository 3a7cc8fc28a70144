package proofmark.harness;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Somebody's {@code main}. Its result is the hash of what it printed and its normal return; exiting
 * with status 0 counts as a normal return (see {@link Exit}). What it prints on standard error is not compared.
 */
final class MainWorkload extends Workload {
    private final Method main;
    /** For a {@code main} that is not static; else null. */
    private final Constructor<?> constructor;
    private final Object[] arguments;
    private final Digesting output = new Digesting();
    /** The same in all iterations, and there before the class is: programs keep System.out in static fields. */
    private final PrintStream stream = new Unclosable(output);
    private final PrintStream errors = System.err;
    private final InputStream input = new NoInput();
    /** The beginning of what the first iteration printed; null before. */
    private byte[] first;

    MainWorkload(String className, String[] arguments) throws ReflectiveOperationException {
        standardStreams();
        Class<?> type = Class.forName(className, true, ClassLoader.getSystemClassLoader());
        main = mainOf(type);
        main.setAccessible(true);
        constructor = Modifier.isStatic(main.getModifiers()) ? null : type.getDeclaredConstructor();
        if (constructor != null) {
            constructor.setAccessible(true);
        }
        this.arguments = main.getParameterCount() == 0 ? new Object[0] : new Object[] {arguments};
        // What a static initializer prints comes only once.
        stream.flush();
        output.take();
    }

    /** What the launcher of Java 25 calls: also one without arguments, of an instance, or not public. */
    private static Method mainOf(Class<?> type) throws NoSuchMethodException {
        for (Class<?>[] parameters : new Class<?>[][] {{String[].class}, {}}) {
            for (Class<?> c = type; c != null; c = c.getSuperclass()) {
                for (Method method : c.getDeclaredMethods()) {
                    if (method.getName().equals("main") && method.getReturnType() == void.class && !Modifier.isPrivate(method.getModifiers())
                            && Arrays.equals(method.getParameterTypes(), parameters)) {
                        return method;
                    }
                }
            }
        }
        throw new NoSuchMethodException("it has no main method");
    }

    /** Every iteration finds them as the first one did. */
    private void standardStreams() {
        System.setOut(stream);
        System.setErr(errors);
        System.setIn(input);
    }

    @Override
    String iterate() throws Throwable {
        standardStreams();
        try {
            Object receiver = constructor == null ? null : constructor.newInstance();
            call(main, receiver, arguments.length == 0 ? arguments : new Object[] {((String[]) arguments[0]).clone()});
        } catch (Exit.Requested exit) {
            // With status 0 a normal end, and what other statuses mean is said below.
        }
        stream.flush();
        // Another thread may have asked for the end, or the program may have caught what ends this one.
        int status = Exit.failed();
        if (status != 0) {
            throw new WrongResult("the program exited with status " + status + " (only 0 is a normal end)" + output.lastLines());
        }
        String result = output.take();
        if (first == null) {
            first = output.taken();
        }
        return result;
    }

    @Override
    String unlike(String result, String reference) {
        String advice = "; " + SAME_WORK + ". Let it print times and the like to standard error, which is not compared, or not at all: "
                + "no option leaves lines out";
        String difference = Difference.of(first, output.taken(), advice);
        return difference == null ? super.unlike(result, reference) : difference;
    }

    @Override
    String mustEnd() {
        return "main must return; for a server see docs/programs.md#a-server";
    }

    /** A program that closes its standard output prints again in the next iteration. */
    private static final class Unclosable extends PrintStream {
        Unclosable(OutputStream out) {
            super(out, false, StandardCharsets.UTF_8);
        }

        @Override
        public void close() {
            flush();
        }
    }

    /** Standard input can be read only once: without this the program would silently do other work than its user thinks. */
    private static final class NoInput extends InputStream {
        @Override
        public int read() {
            throw new NoInputError();
        }
    }

    /** An error, so that programs which catch exceptions do not catch it by accident. */
    @SuppressWarnings("serial")
    private static final class NoInputError extends Error {
        @Override
        public String toString() {
            return "the program reads standard input, which Proofmark cannot repeat: read from a file instead, given as an argument";
        }
    }

    /** Hashes what is written, and keeps its beginning, to say where two outputs part. */
    private static final class Digesting extends OutputStream {
        /** So many bytes are kept. */
        private static final int KEPT = 1 << 16;
        /** So many lines are shown of a program that fails. */
        private static final int LAST = 3;

        private final MessageDigest digest;
        private final byte[] kept = new byte[KEPT];
        private long bytes;
        /** Bytes of the last output that are still kept. */
        private int taken;

        Digesting() {
            try {
                digest = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        }

        @Override
        public void write(int b) {
            long before = bytes;
            if (before < KEPT) {
                kept[(int) before] = (byte) b;
            }
            digest.update((byte) b);
            bytes++;
        }

        @Override
        public void write(byte[] b, int offset, int length) {
            long before = bytes;
            if (before < KEPT) {
                System.arraycopy(b, offset, kept, (int) before, (int) Math.min(length, KEPT - before));
            }
            digest.update(b, offset, length);
            bytes += length;
        }

        /** What was written since the last call. */
        String take() {
            String text = bytes + " bytes of output (SHA-256 " + HexFormat.of().formatHex(digest.digest(), 0, 8) + "...)";
            taken = (int) Math.min(bytes, KEPT);
            bytes = 0;
            return text;
        }

        /** The last lines of what was written since {@link #take}, each behind a line feed; none where it is longer than what is kept. */
        String lastLines() {
            if (bytes > KEPT) {
                return "";
            }
            List<String> lines = new String(kept, 0, (int) bytes, StandardCharsets.UTF_8).lines().filter(line -> !line.isBlank()).toList();
            return lines.stream().skip(Math.max(0, lines.size() - LAST)).map(line -> "\n" + line).collect(Collectors.joining());
        }

        /** The beginning of what the last call took; to be asked before anything else is written. */
        byte[] taken() {
            return Arrays.copyOf(kept, taken);
        }
    }
}
