package proofmark.harness;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/** The program under test: one call is one iteration. */
abstract class Workload {
    /** What is wanted of it. */
    static final String SAME_WORK = "Proofmark needs a workload that does the same work every time";

    /**
     * Runs one iteration.
     *
     * @return what must be equal in every iteration, as text; null where there is nothing to compare
     */
    abstract String iterate() throws Throwable;

    /**
     * Runs so many iterations whose results are not compared.
     *
     * @return false where iterations are called one by one
     */
    boolean repeat(int times) throws Throwable {
        return false;
    }

    /**
     * Compares what iterations did, where that is not in their results; between them, outside of clocks.
     *
     * @return null where all did the same, else which one did not, and what it did, for people
     */
    String unlike() {
        return null;
    }

    /** What an iteration did whose result is not the reference, for people: behind its number. */
    String unlike(String result, String reference) {
        return "gave " + result + ", the first one " + reference + "; " + SAME_WORK;
    }

    /** What is to be said where an iteration does not end. */
    String mustEnd() {
        return "it must return";
    }

    /** What is done before a stretch of iterations, outside of clocks and profiles. */
    void begin() throws Throwable {
    }

    /** What is done after it. */
    void end() throws Throwable {
    }

    /** What is done at the very end. */
    void close() throws Throwable {
    }

    /** What is to be said of how it is run, beginning with a semicolon. */
    String remark() {
        return "";
    }

    /** {@code kind} is suite, main, method ({@code Class.method}), runnable or jmh ({@code Class.method}, with parameters). */
    static Workload of(String kind, String target, String[] arguments) throws ReflectiveOperationException {
        return switch (kind) {
            case "suite" -> suite(target);
            case "main" -> new MainWorkload(target, arguments);
            case "method" -> method(target);
            case "runnable" -> runnable(target);
            case "jmh" -> new JmhWorkload(target, arguments);
            default -> throw new IllegalArgumentException("unknown kind of workload: " + kind);
        };
    }

    private static Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name, true, ClassLoader.getSystemClassLoader());
    }

    /** A class with {@code boolean iterate()}, which is true when every result was right. */
    private static Workload suite(String name) throws ReflectiveOperationException {
        Class<?> type = load(name);
        Object program = type.getConstructor().newInstance();
        Method iterate = type.getMethod("iterate");
        return new Workload() {
            @Override
            String iterate() throws Throwable {
                if (!(Boolean) call(iterate, program)) {
                    throw new WrongResult(name + " computed a wrong result");
                }
                return null;
            }
        };
    }

    private static Workload method(String target) throws ReflectiveOperationException {
        int dot = target.lastIndexOf('.');
        if (dot < 0) {
            throw new NoSuchMethodException(target + " is not of the form package.Class.method");
        }
        Method method = load(target.substring(0, dot)).getDeclaredMethod(target.substring(dot + 1));
        if (!Modifier.isStatic(method.getModifiers())) {
            throw new NoSuchMethodException(target + " is not static");
        }
        method.setAccessible(true);
        return new Workload() {
            @Override
            String iterate() throws Throwable {
                return text(call(method, null));
            }
        };
    }

    private static Workload runnable(String name) throws ReflectiveOperationException {
        Runnable runnable = (Runnable) load(name).getConstructor().newInstance();
        return new Workload() {
            @Override
            String iterate() {
                runnable.run();
                return null;
            }
        };
    }

    static Object call(Method method, Object receiver, Object... arguments) throws Throwable {
        try {
            return method.invoke(receiver, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Results are compared by value where Java defines one, else not at all. */
    private static String text(Object result) {
        if (result instanceof int[] a) {
            return Arrays.toString(a);
        } else if (result instanceof long[] a) {
            return Arrays.toString(a);
        } else if (result instanceof double[] a) {
            return Arrays.toString(a);
        } else if (result instanceof byte[] a) {
            return Arrays.toString(a);
        } else if (result instanceof Object[] a) {
            return Arrays.deepToString(a);
        }
        boolean value = result instanceof String || result instanceof Number || result instanceof Boolean || result instanceof Character;
        return value ? result.toString() : null;
    }

    /** The workload's own check failed. */
    static final class WrongResult extends Exception {
        private static final long serialVersionUID = 1L;

        WrongResult(String message) {
            super(message);
        }
    }
}
