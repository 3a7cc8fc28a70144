import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One line per thing that rewriting could break. */
public class Traps extends TrapTypes {
    static int[] table;
    static final long[] SQUARES = new long[20];

    static {
        table = new int[10];
        for (int i = 0; i < table.length; i++) {
            table[i] = i * i;
            SQUARES[i] = table[i] + square(i);
        }
    }

    static long square(int i) {
        return (long) i * i;
    }

    static class Base implements Serializable {
        final String name;
        transient int seen;

        Base(String name) {
            this.name = name == null ? "none" : name;
        }

        String hello() {
            return "base " + name;
        }

        protected int weight(int a, long b, double c, float d, String... more) {
            return (int) (a + b + c + d) + more.length;
        }
    }

    static class Derived extends Base {
        private final int number;

        Derived(int number) {
            super(number > 3 ? "big" + number : number < 0 ? null : "small");
            this.number = number;
        }

        Derived() {
            this(7);
        }

        @Override
        String hello() {
            return "derived " + number + " of " + super.hello();
        }

        @Override
        public String toString() {
            return hello();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Derived d && d.number == number;
        }

        @Override
        public int hashCode() {
            return number * 31 % 7;
        }
    }

    static int words(String word) {
        switch (word) {
            case "one":
                return 1;
            case "two":
                return 2;
            case "Aa":
            case "BB":
                return 3;
            default:
                return word.length() > 5 ? -1 : 0;
        }
    }

    static int sparse(int key) {
        switch (key) {
            case -1000000:
                return 1;
            case 5:
                return 2;
            case 1 << 30:
                return 3;
            default:
                return 4;
        }
    }

    static synchronized int locked(int depth) {
        if (depth == 0) {
            throw new IllegalStateException("bottom");
        }
        return locked(depth - 1) + 1;
    }

    static String finals(int depth) {
        StringBuilder trace = new StringBuilder();
        try {
            if (depth == 0) {
                throw new RuntimeException("deep");
            }
            trace.append(finals(depth - 1));
        } catch (RuntimeException e) {
            trace.append('c').append(depth);
            if (depth == 2) {
                throw e;
            }
        } finally {
            trace.append('f').append(depth);
        }
        return trace.toString();
    }

    static int loops(int n) {
        int result = 0;
        outer:
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (i * j > 50) {
                    continue outer;
                }
                result += i ^ j;
                synchronized (Traps.class) {
                    result++;
                }
            }
        }
        return result;
    }

    static int depth;

    static void forever() {
        depth++;
        forever();
    }

    static <T extends Comparable<T>> T largest(List<? extends T> all) {
        T best = null;
        for (T one : all) {
            if (best == null || one.compareTo(best) > 0) {
                best = one;
            }
        }
        return best;
    }

    static class Loud {
        static final int VALUE;

        static {
            System.out.println("initialised");
            VALUE = words("one") + square(3) > 5 ? 10 : 20;
        }

        Loud() {
            throw new UnsupportedOperationException("no");
        }

        static int value() {
            return VALUE;
        }
    }

    static class Broken {
        static int zero = 0;
        static final int BAD = 1 / zero;
    }

    static class Countdown implements Iterable<Integer> {
        @Override
        public Iterator<Integer> iterator() {
            return new Iterator<>() {
                private int left = 3;

                @Override
                public boolean hasNext() {
                    return left > 0;
                }

                @Override
                public Integer next() {
                    return left--;
                }
            };
        }
    }

    static class Resource implements AutoCloseable {
        @Override
        public void close() {
            throw new IllegalStateException("close");
        }
    }

    static String many(long a, double b, int c, long d, double e, float f, byte g, short h, char i, boolean j, Object k) {
        return a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + g + " " + h + " " + i + " " + j + " " + k;
    }

    static void say(Object text) {
        System.out.println(text);
    }

    static void tryIt(String what, Supplier<Object> code) {
        try {
            say(what + ": " + code.get());
        } catch (Throwable t) {
            say(what + ": " + t);
        }
    }

    public static void main(String[] arguments) throws Throwable {
        say(Arrays.toString(table) + Arrays.stream(SQUARES).sum());
        tryIt("constructors", () -> List.of(new Derived(), new Derived(-1), new Derived(2)));
        tryIt("varargs", () -> new Derived().weight(1, 2L, 3.5, 4.25f, "a", "b"));
        tryIt("lists", () -> new Numbers() + " " + new Longer() + new Numbers().indexOf(9) + new Longer().contains(12));
        tryIt("index", () -> new Numbers().get(9));
        tryIt("defaults", () -> new Both().hi());
        List<Shape> shapes = new ArrayList<>(List.of(new Circle(2), new Square(3), new Circle(1)));
        tryIt("sort", () -> {
            Collections.sort(shapes);
            return shapes + " " + largest(shapes);
        });
        tryIt("record", () -> new Circle(-1));
        tryIt("enum", () -> Arrays.stream(Op.values()).map(op -> op + "" + op.applyAsInt(3, 4)).toList());
        tryIt("enum switch", () -> {
            int n = 0;
            for (Op op : Op.values()) {
                switch (op) {
                    case ADD -> n += 1;
                    case TIMES -> n += 10;
                }
            }
            return n + " " + Op.valueOf("ADD");
        });
        tryIt("tree", () -> sum(new Fork(new Leaf(3), new Fork(new Leaf(4), new Leaf(5)))));
        tryIt("generic", () -> new Generic<String>() {
            @Override
            String make(String of) {
                return of + of.length();
            }
        }.twice("x"));
        tryIt("switches", () -> words("one") + words("BB") + words("nothing") + " " + sparse(5) + sparse(1 << 30) + sparse(0));
        tryIt("locked", () -> locked(4));
        tryIt("finally", () -> finals(1));
        tryIt("finally deep", () -> finals(4));
        tryIt("loops", () -> loops(20));
        tryIt("fields", () -> Fields.all());
        // How deep the stack is depends on the compilers, so what it costs is not the same twice.
        tryIt("overflow", () -> {
            if (arguments.length == 0) {
                return "not asked for";
            }
            try {
                forever();
                return "no";
            } catch (StackOverflowError e) {
                return depth > 500;
            }
        });
        tryIt("null", () -> ((String) null).length());
        tryIt("array", () -> table[table.length]);
        tryIt("division", () -> 5 / Broken.zero);
        tryIt("again", () -> Broken.BAD);
        tryIt("cast", () -> (Integer) (Object) "text");
        tryIt("lazy", () -> Loud.value());
        tryIt("reflection", () -> {
            try {
                return Loud.class.getDeclaredConstructor().newInstance();
            } catch (InvocationTargetException e) {
                return e.getCause() + " " + words("two");
            } catch (ReflectiveOperationException e) {
                return e;
            }
        });
        Function<Integer, Derived> make = Derived::new;
        BiFunction<Base, Integer, Integer> weigh = (base, w) -> base.weight(w, w, w, w);
        tryIt("references", () -> make.apply(9) + " " + weigh.apply(make.apply(1), 3));
        tryIt("streams", () -> IntStream.range(0, 20).boxed().collect(
                Collectors.groupingBy(i -> i % 3, TreeMap::new, Collectors.mapping(Traps::square, Collectors.toList()))));
        tryIt("comparators", () -> {
            List<Derived> all = new ArrayList<>(List.of(new Derived(5), new Derived(1), new Derived(3)));
            all.sort(Comparator.comparing((Derived d) -> -d.number).thenComparing(Derived::hello));
            return all;
        });
        tryIt("maps", () -> {
            Map<Derived, Integer> map = new HashMap<>();
            for (int i = 0; i < 30; i++) {
                map.merge(new Derived(i % 11), i, Integer::sum);
            }
            return map.get(new Derived(4)) + " " + map.size() + " " + map.get(new Derived(12));
        });
        tryIt("iterate", () -> {
            int n = 0;
            for (int i : new Countdown()) {
                n = n * 10 + i;
            }
            return n;
        });
        tryIt("resources", () -> {
            try (Resource resource = new Resource()) {
                throw new IllegalArgumentException("body");
            } catch (IllegalArgumentException e) {
                return e + " " + Arrays.toString(e.getSuppressed());
            }
        });
        tryIt("many", () -> many(1L, 2.0, 3, 4L, 5.0, 6f, (byte) 7, (short) 8, '9', true, null));
        Method square = Traps.class.getDeclaredMethod("square", int.class);
        tryIt("invoke", () -> {
            try {
                return square.invoke(null, 12);
            } catch (ReflectiveOperationException e) {
                return e;
            }
        });
        MethodHandle handle = MethodHandles.lookup().findVirtual(Base.class, "hello", MethodType.methodType(String.class));
        String exact = (String) handle.invokeExact((Base) new Derived(6));
        say(exact);
        Shape proxy = (Shape) Proxy.newProxyInstance(Traps.class.getClassLoader(), new Class<?>[] {Shape.class},
                (self, method, given) -> {
                    say("proxy " + method.getName() + " " + (given == null ? 0 : given.length));
                    return method.getReturnType() == int.class ? (Object) 0 : (Object) 4.0;
                });
        tryIt("proxy", () -> proxy.area() + proxy.compareTo(new Circle(1)) + largest(List.of(new Square(1), proxy)).area());
        tryIt("members", () -> Arrays.stream(Derived.class.getDeclaredMethods()).map(Method::getName).sorted().toList()
                + " " + Derived.class.getDeclaredConstructors().length + " " + Left.class.getMethods().length
                + " " + Modifier.toString(square.getModifiers()));
        tryIt("abstract", () -> Arrays.stream(Shape.class.getMethods()).filter(m -> Modifier.isAbstract(m.getModifiers())).count());
        say(ObjectStreamClass.lookup(Base.class).getSerialVersionUID() + " "
                + ObjectStreamClass.lookup(Derived.class).getSerialVersionUID());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(new ArrayList<>(List.of(new Derived(8), Op.ADD)));
        say(new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject());
        long[] found = new long[1];
        Thread thread = new Thread(() -> found[0] = IntStream.range(0, 1000).mapToLong(Traps::square).sum());
        thread.start();
        thread.join();
        say(found[0]);
        ClassLoader loader = new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                say("find " + name + words("two"));
                throw new ClassNotFoundException(name);
            }
        };
        tryIt("loader", () -> {
            try {
                return Class.forName("nowhere.Nothing", true, loader);
            } catch (ClassNotFoundException e) {
                return e.getMessage();
            }
        });
    }
}
