import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What rewriting could break, each with a line of output. Run with an argument, it ends by System.exit(3). */
public class Behaviour extends BehaviourTypes {
    static final int TABLE;

    static {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += square(i);
        }
        TABLE = sum;
    }

    static int square(int x) {
        return x * x;
    }

    static class Base {
        final String text;

        Base(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return getClass().getSimpleName() + ":" + text;
        }
    }

    static class Derived extends Base {
        Derived(boolean flag, int n) {
            super(flag ? name(n) : "no" + square(n));
        }

        Derived() {
            this(true, 4);
        }

        private static String name(int n) {
            return n > 3 ? "big" : "small";
        }
    }

    static class Failing {
        Failing(int x) {
            if (x > 1) {
                throw new IllegalArgumentException("failing " + x);
            }
        }
    }

    static class Growing<T> extends ArrayList<T> {
        private static final long serialVersionUID = 1;
        int added;

        @Override
        public boolean add(T value) {
            added++;
            return super.add(value);
        }
    }

    static class Squares extends AbstractList<Integer> {
        @Override
        public Integer get(int index) {
            return square(index);
        }

        @Override
        public int size() {
            return 5;
        }
    }

    static class Kept implements Serializable {
        int number = 7;
        transient int forgotten = 8;
        private final String name;

        Kept(String name) {
            this.name = name;
        }

        String shown() {
            return name + number + forgotten;
        }
    }

    interface Service {
        String serve(String what, long how);

        default int twice(int x) {
            return 2 * x;
        }
    }

    static class Outer {
        private int hidden = 5;

        class Inner {
            private int look() {
                return hidden++ + secret();
            }
        }

        private int secret() {
            return 100;
        }
    }

    static int depth;

    static void endless() {
        depth++;
        endless();
    }

    static int fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    static String many(int a, long b, float c, double d, String... rest) {
        return a + "," + b + "," + c + "," + d + "," + String.join("+", rest);
    }

    static synchronized int locked(int x) {
        if (x > 2) {
            throw new IllegalStateException("locked " + x);
        }
        return x;
    }

    int guarded(int x) {
        synchronized (this) {
            if (x == 0) {
                throw new ArithmeticException("guarded");
            }
            return 10 / x;
        }
    }

    static int cleaned(int n, StringBuilder log) {
        try {
            return n == 0 ? 1 / n : cleaned(n - 1, log) + 1;
        } finally {
            log.append(n);
        }
    }

    static int chosen(String word) {
        switch (word) {
            case "one":
                return 1;
            case "Aa":
            case "BB":
                return 2;
            default:
                return word.length();
        }
    }

    static long sparse(int key) {
        switch (key) {
            case 1:
                return 10;
            case 1000:
                return 20;
            case -5:
                return 30;
            case 1 << 30:
                return 40;
            default:
                return -1;
        }
    }

    static void say(String what, Object value) {
        System.out.println(what + " " + value);
    }

    static String caught(Runnable action) {
        try {
            action.run();
            return "nothing";
        } catch (RuntimeException | StackOverflowError e) {
            return e.getClass().getSimpleName() + " " + (e instanceof StackOverflowError ? "" : e.getMessage());
        }
    }

    public static void main(String[] arguments) throws Throwable {
        language();
        library();
        reflection();
        threads();
        if (arguments.length > 0) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> say("hook", square(4))));
            System.exit(3);
        }
        Thread last = new Thread(() -> {
            throw new IllegalStateException("uncaught");
        }, "last");
        last.setUncaughtExceptionHandler((thread, e) -> say("uncaught in " + thread.getName(), e.getMessage()));
        last.start();
        last.join();
    }

    static void language() {
        say("clinit", TABLE);
        say("super", new Derived(true, 9) + " " + new Derived(false, 3) + " " + new Derived());
        say("failing", caught(() -> new Failing(2)));
        say("diamond", new Diamond().hi());
        say("record", new Point(3, 4).length() + " " + new Point(3, 4) + " " + new Point(3, 4).equals(new Point(3, 4)));
        say("record fails", caught(() -> new Point(-1, 0)));
        Shape[] shapes = {new Circle(2), new Rectangle(2, 3)};
        for (Shape shape : shapes) {
            say("shape", shape instanceof Circle c ? c.radius() : shape.hashCode());
        }
        for (Operation operation : Operation.values()) {
            say("enum", operation + " " + operation.apply(3, 4) + " " + Operation.valueOf("PLUS").ordinal());
        }
        say("switch", chosen("one") + chosen("Aa") + chosen("BB") + chosen("other"));
        say("sparse", sparse(1) + sparse(1000) + sparse(-5) + sparse(1 << 30) + sparse(0));
        say("varargs", many(1, 2L, 3f, 4d, "a", "b") + many(1, 2L, 3f, 4d));
        say("locked", locked(1) + caught(() -> locked(5)) + Thread.holdsLock(Behaviour.class));
        Behaviour behaviour = new Behaviour();
        say("guarded", behaviour.guarded(5) + caught(() -> behaviour.guarded(0)) + Thread.holdsLock(behaviour));
        StringBuilder log = new StringBuilder();
        say("finally", caught(() -> cleaned(4, log)) + log);
        say("recursion", fibonacci(15));
        say("overflow", caught(Behaviour::endless) + (depth > 100));
        Object nothing = fibonacci(3) > 100 ? "" : null;
        say("null", caught(() -> nothing.hashCode()).startsWith("NullPointerException"));
        say("index", caught(() -> say("", new int[] {1, 2}[square(2)])));
        Outer outer = new Outer();
        Outer.Inner inner = outer.new Inner();
        say("nest", inner.look() + inner.look());
        say("strings", "a" + 1 + 'c' + 2L + 3.5 + null + outer.hidden);
        int[] sum = {0};
        outer:
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < 10; j++) {
                if (j == i) {
                    continue outer;
                }
                if (i * j > 20) {
                    break outer;
                }
                sum[0] += i * j;
            }
        }
        say("labels", sum[0]);
    }

    static void library() throws Exception {
        Growing<String> growing = new Growing<>();
        growing.addAll(List.of("x", "y"));
        growing.add("z");
        say("growing", growing + " " + growing.added);
        say("squares", new Squares() + " " + new Squares().indexOf(9) + new Squares().contains(16));
        Function<Integer, Integer> increment = x -> x + 1;
        IntUnaryOperator squared = Behaviour::square;
        Supplier<List<String>> made = ArrayList::new;
        BiFunction<Boolean, Integer, Derived> constructor = Derived::new;
        say("lambdas", increment.andThen(x -> x * 2).apply(3) + squared.applyAsInt(6) + made.get().size() + " " + constructor.apply(true, 2));
        List<String> words = Arrays.asList("pear", "fig", "apple", "kiwi", "date");
        words.sort(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
        say("sorted", words);
        say("streams", IntStream.range(0, 50).filter(i -> i % 3 == 0).mapToObj(Integer::toString).collect(Collectors.joining("/")));
        say("groups", words.stream().collect(Collectors.groupingBy(String::length, java.util.TreeMap::new, Collectors.counting())));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new Kept("kept"));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            say("serial", ((Kept) in.readObject()).shown());
        }
        say("version", ObjectStreamClass.lookup(Kept.class).getSerialVersionUID());
    }

    static void reflection() throws Throwable {
        Method method = Behaviour.class.getDeclaredMethod("square", int.class);
        say("invoke", method.invoke(null, 12));
        try {
            Behaviour.class.getDeclaredMethod("locked", int.class).invoke(null, 9);
        } catch (InvocationTargetException e) {
            say("invoke fails", e.getCause().getMessage());
        }
        Constructor<?> failing = Failing.class.getDeclaredConstructor(int.class);
        for (int i = 0; i < 3; i++) {
            try {
                failing.newInstance(i);
                say("constructed", i);
            } catch (InvocationTargetException e) {
                say("constructor fails", e.getCause().getMessage() + square(i));
            }
        }
        MethodHandle handle = MethodHandles.lookup().findStatic(Behaviour.class, "square", MethodType.methodType(int.class, int.class));
        say("handle", (int) handle.invokeExact(11));
        InvocationHandler handler = (proxy, called, given) -> called.getReturnType() == int.class ? 5 : called.getName() + Arrays.toString(given);
        Service service = (Service) Proxy.newProxyInstance(Behaviour.class.getClassLoader(), new Class<?>[] {Service.class}, handler);
        say("proxy", service.serve("tea", 3) + service.twice(4) + (Proxy.getInvocationHandler(service) == handler));
        say("methods", names(Service.class.getDeclaredMethods()) + " " + names(Diamond.class.getMethods()).contains("hi"));
        say("declared", names(Derived.class.getDeclaredMethods()) + " " + Derived.class.getDeclaredConstructors().length);
        say("modifiers", Service.class.getMethod("serve", String.class, long.class).getModifiers());
        StackTraceElement[] trace = new Throwable().getStackTrace();
        say("trace", trace[0].getMethodName() + " " + trace[0].getLineNumber());
        say("mains", Arrays.stream(trace).filter(frame -> frame.getMethodName().equals("main")).count());
    }

    static List<String> names(Method[] methods) {
        return Arrays.stream(methods).map(Method::getName).sorted().collect(Collectors.toList());
    }

    static void threads() throws Exception {
        int[] results = new int[3];
        Thread[] threads = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int at = i;
            threads[i] = new Thread(() -> results[at] = fibonacci(10 + at), "worker-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        say("threads", Arrays.toString(results));
        try {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            int[] sum = {0};
            for (int i = 0; i < 5; i++) {
                int n = i;
                ((Thread) start.invoke(null, (Runnable) () -> {
                    int part = fibonacci(n);
                    Thread.yield();
                    sum[0] += part + square(n);
                })).join();
            }
            say("virtual", sum[0]);
        } catch (NoSuchMethodException e) {
            say("virtual", 37);
        }
    }
}
