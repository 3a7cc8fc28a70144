package proofmark.harness;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Somebody's {@code main}. It must print the same in every iteration and return; exiting
 * with status 0 counts as a normal return (see {@link Exit}). What it prints on standard error is not compared.
 */
final class MainWorkload extends Workload {
    private final Method main;
    /** For a {@code main} that is not static; else null. */
    private final Constructor<?> constructor;
    private final Object[] arguments;
    private final Printed output = new Printed();
    /** The same in all iterations, and there before the class is: programs keep System.out in static fields. */
    private final PrintStream stream = new Unclosable(output);
    private final PrintStream errors = System.err;
    private final InputStream input = new NoInput();

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
        output.forget();
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
        synchronized (stream) {
            output.endIteration();
        }
        return null;
    }

    /** Threads that the program left behind may print meanwhile, under the lock of the stream. */
    @Override
    String unlike() {
        synchronized (stream) {
            return output.unlike();
        }
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
}
