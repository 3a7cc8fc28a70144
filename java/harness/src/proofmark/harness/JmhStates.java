package proofmark.harness;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The states of a benchmark, one object of each class: one thread runs it, so that all scopes come to the same. A state that
 * is handed to another one's fixtures is ready before that one.
 */
final class JmhStates {
    private final Jmh jmh;
    private final JmhParameters parameters;
    /** In the order in which they are set up. */
    private final Map<Class<?>, State> states = new LinkedHashMap<>();
    private final Set<Class<?>> beingMade = new HashSet<>();

    /** An object, and what is done with it. */
    private record State(Object object, List<Fixture> setups, List<Fixture> tearDowns) {
    }

    /** A method that is called before or after, with what it is handed. */
    record Fixture(Method method, String level, Object object, Object[] arguments) {
        void run() throws Throwable {
            Workload.call(method, object, arguments);
        }
    }

    JmhStates(Jmh jmh, JmhParameters parameters) {
        this.jmh = jmh;
        this.parameters = parameters;
    }

    /** What a method is handed, by the classes of its parameters. */
    Object[] arguments(Method method) throws ReflectiveOperationException {
        List<Object> all = new ArrayList<>();
        for (Class<?> type : method.getParameterTypes()) {
            if (Jmh.isHandedOut(type)) {
                all.add(jmh.handedOut(type));
            } else if (Jmh.isState(type)) {
                all.add(object(type));
            } else {
                throw new Jmh.Unfit(Jmh.name(method) + " asks for " + type.getName() + ", which is no @State");
            }
        }
        return all.toArray();
    }

    /** The object of a class, with its parameters; not yet set up. */
    Object object(Class<?> type) throws ReflectiveOperationException {
        State known = states.get(type);
        if (known != null) {
            return known.object;
        }
        if (!beingMade.add(type)) {
            throw new Jmh.Unfit("states need each other in a circle, " + type.getName() + " among them");
        }
        Object object = Jmh.constructed(type, constructor(type));
        parameters.set(object);
        State state = new State(object, fixtures(object, "Setup"), fixtures(object, "TearDown"));
        beingMade.remove(type);
        states.put(type, state);
        return object;
    }

    /** Everything that is done before a level begins, in its order. */
    List<Fixture> setups(String level) {
        List<Fixture> all = new ArrayList<>();
        states.values().forEach(state -> all.addAll(of(state.setups, level)));
        return all;
    }

    /** Everything that is done after a level has ended, in its order. */
    List<Fixture> tearDowns(String level) {
        List<State> reversed = new ArrayList<>(states.values());
        Collections.reverse(reversed);
        List<Fixture> all = new ArrayList<>();
        reversed.forEach(state -> all.addAll(of(state.tearDowns, level)));
        return all;
    }

    private static List<Fixture> of(List<Fixture> fixtures, String level) {
        return fixtures.stream().filter(fixture -> fixture.level.equals(level)).toList();
    }

    private static Constructor<?> constructor(Class<?> type) throws Jmh.Unfit {
        boolean inner = type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor;
        } catch (NoSuchMethodException e) {
            throw new Jmh.Unfit(type.getName() + (inner ? " is an inner class that is not static" : " has no constructor without parameters"), e);
        }
    }

    /** Methods with such an annotation: setups of super classes first, tear-downs of super classes last, those of one class by name. */
    private List<Fixture> fixtures(Object object, String annotation) throws ReflectiveOperationException {
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            classes.add(0, type);
        }
        if (annotation.equals("TearDown")) {
            Collections.reverse(classes);
        }
        List<Fixture> fixtures = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Class<?> type : classes) {
            Method[] methods = type.getDeclaredMethods();
            Arrays.sort(methods, Comparator.comparing(Method::getName));
            for (Method method : methods) {
                Annotation found = Jmh.on(method, annotation);
                // One that is overridden is called once.
                boolean own = Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers());
                if (found == null || method.isBridge() || !own && !seen.add(method.getName() + Arrays.toString(method.getParameterTypes()))) {
                    continue;
                }
                method.setAccessible(true);
                fixtures.add(new Fixture(method, ((Enum<?>) Jmh.value(found)).name(), object, arguments(method)));
            }
        }
        return fixtures;
    }
}
