package proofmark.harness;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;

/** What of JMH a benchmark uses: annotations, and the objects that methods are handed. All by name: nothing is compiled against JMH. */
final class Jmh {
    /** What {@code @Param} holds where its benchmark leaves the values to the field's type. */
    static final String NO_VALUES = "blank_blank_blank_2014";

    private static final String ANNOTATIONS = "org.openjdk.jmh.annotations.";
    private static final String OBJECTS = "org.openjdk.jmh.infra.";
    private static final String BLACKHOLE = OBJECTS + "Blackhole";
    private static final String CONTROL = OBJECTS + "Control";
    /** What the constructor of a black hole wants to hear. */
    private static final String PASSWORD = "Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.";

    private final Map<Class<?>, Object> made = new HashMap<>();

    /** A benchmark that cannot be run here, and why, for people. */
    static final class Unfit extends ReflectiveOperationException {
        private static final long serialVersionUID = 1L;

        Unfit(String message) {
            super(message);
        }

        Unfit(String message, Throwable cause) {
            super(message, cause);
        }

        @Override
        public String toString() {
            return getMessage();
        }
    }

    /** The annotation with this simple name; null where there is none. */
    static Annotation on(AnnotatedElement element, String name) {
        for (Annotation annotation : element.getDeclaredAnnotations()) {
            if (annotation.annotationType().getName().equals(ANNOTATIONS + name)) {
                return annotation;
            }
        }
        return null;
    }

    static boolean isState(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (on(c, "State") != null) {
                return true;
            }
        }
        return false;
    }

    /** What the annotation holds: of {@code @Setup} and {@code @TearDown} a constant of {@code Level}, of {@code @Param} texts. */
    static Object value(Annotation annotation) throws ReflectiveOperationException {
        return annotation.annotationType().getMethod("value").invoke(annotation);
    }

    /** Whether methods are handed an object of this class by JMH itself. */
    static boolean isHandedOut(Class<?> type) {
        return type.getName().startsWith(OBJECTS);
    }

    /** The one black hole: what benchmarks return goes there too. */
    Object blackhole() throws ReflectiveOperationException {
        try {
            return handedOut(Class.forName(BLACKHOLE, true, ClassLoader.getSystemClassLoader()));
        } catch (ClassNotFoundException e) {
            throw new Unfit("there is no JMH on the class path: name its JAR too, as in jmh:benchmarks.jar:jmh-core.jar#REGEX", e);
        }
    }

    /** The one object of a class that JMH hands out. */
    Object handedOut(Class<?> type) throws ReflectiveOperationException {
        Object known = made.get(type);
        if (known != null) {
            return known;
        }
        String name = type.getName();
        if (!name.equals(BLACKHOLE) && !name.equals(CONTROL)) {
            throw new Unfit("it asks for " + name + ", which only JMH's own runner has: Proofmark hands out Blackhole and Control");
        }
        Object object = instance(type);
        if (name.equals(CONTROL)) {
            // A benchmark may wait for it.
            Field begun = type.getField("startMeasurement");
            begun.setAccessible(true);
            begun.setBoolean(object, true);
        }
        made.put(type, object);
        return object;
    }

    private static Object instance(Class<?> type) throws ReflectiveOperationException {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            Class<?>[] parameters = constructor.getParameterTypes();
            boolean asks = parameters.length == 1 && parameters[0] == String.class;
            if (asks || parameters.length == 0) {
                constructor.setAccessible(true);
                return constructed(type, constructor, asks ? new Object[] {PASSWORD} : new Object[0]);
            }
        }
        throw new Unfit("this version of JMH makes a " + type.getSimpleName() + " in a way that Proofmark does not know");
    }

    /** A new object; what its constructor throws is told. */
    static Object constructed(Class<?> type, Constructor<?> constructor, Object... arguments) throws ReflectiveOperationException {
        try {
            return constructor.newInstance(arguments);
        } catch (InstantiationException e) {
            throw new Unfit(type.getName() + " is abstract", e);
        } catch (InvocationTargetException e) {
            throw new Unfit("the constructor of " + type.getName() + " failed: " + e.getCause(), e.getCause());
        }
    }

    /** The name of a method for people. */
    static String name(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }
}
