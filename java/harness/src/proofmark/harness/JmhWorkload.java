package proofmark.harness;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;

import proofmark.jmh.Loop;

/**
 * A JMH benchmark: one call of its method is one iteration. JMH's iteration is a stretch of them, such as a window. What the
 * benchmark returns goes to its black hole and is not compared: many return another value each time.
 */
final class JmhWorkload extends Workload {
    private static final MethodType NOTHING = MethodType.methodType(void.class);

    private final JmhStates states;
    private final List<JmhStates.Fixture> aroundCalls;

    /** {@code target} is {@code package.Class.method}, parameters are {@code NAME=VALUE}. Trials are set up here. */
    JmhWorkload(String target, String[] parameters) throws ReflectiveOperationException {
        Jmh jmh = new Jmh();
        Object blackhole = jmh.blackhole();
        int dot = target.lastIndexOf('.');
        Class<?> type = Class.forName(target.substring(0, Math.max(dot, 0)), true, ClassLoader.getSystemClassLoader());
        Method method = benchmark(type, target.substring(dot + 1));
        Annotation group = Jmh.on(method, "Group");
        if (group != null) {
            throw new Jmh.Unfit("it is one of the group '" + Jmh.value(group) + "' (@Group), whose methods run at the same time in threads of their own;"
                    + " Proofmark runs a benchmark in one thread");
        }
        JmhParameters given = new JmhParameters(parameters);
        states = new JmhStates(jmh, given);
        Object object = Modifier.isStatic(method.getModifiers()) ? null : states.object(type);
        Object[] arguments = states.arguments(method);
        given.check();
        List<JmhStates.Fixture> before = states.setups("Invocation");
        List<JmhStates.Fixture> after = states.tearDowns("Invocation");
        aroundCalls = before.isEmpty() ? after : before;
        MethodHandle call = consumed(bound(method, object, arguments), blackhole);
        Loop.Body.give(surrounded(call, before, after));
        try {
            run(states.setups("Trial"));
        } catch (Jmh.Unfit e) {
            throw e;
        } catch (Throwable e) {
            throw new Jmh.Unfit(e.toString(), e);
        }
    }

    @Override
    String iterate() throws Throwable {
        Loop.run(1);
        return null;
    }

    @Override
    boolean repeat(int times) throws Throwable {
        Loop.run(times);
        return true;
    }

    @Override
    void begin() throws Throwable {
        run(states.setups("Iteration"));
    }

    @Override
    void end() throws Throwable {
        run(states.tearDowns("Iteration"));
    }

    @Override
    void close() throws Throwable {
        run(states.tearDowns("Trial"));
    }

    @Override
    String remark() {
        return aroundCalls.isEmpty() ? "" : "; " + Jmh.name(aroundCalls.get(0).method())
                + " is called with every call of the benchmark (Level.Invocation), and its time counts as the benchmark's";
    }

    private static Method benchmark(Class<?> type, String name) throws Jmh.Unfit {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                if (method.getName().equals(name) && !method.isBridge() && Jmh.on(method, "Benchmark") != null) {
                    method.setAccessible(true);
                    return method;
                }
            }
        }
        throw new Jmh.Unfit(type.getName() + " has no method " + name + " with @Benchmark");
    }

    private static void run(List<JmhStates.Fixture> fixtures) throws Throwable {
        for (JmhStates.Fixture fixture : fixtures) {
            try {
                fixture.run();
            } catch (Throwable e) {
                e.printStackTrace();
                throw new Jmh.Unfit(Jmh.name(fixture.method()) + " failed: " + e, e);
            }
        }
    }

    /** A call with nothing left to hand over. {@code object} is null for static methods. */
    private static MethodHandle bound(Method method, Object object, Object[] arguments) throws IllegalAccessException {
        MethodHandle call = MethodHandles.lookup().unreflect(method).asFixedArity();
        if (object != null) {
            call = call.bindTo(object);
        }
        return MethodHandles.insertArguments(call, 0, arguments);
    }

    /** The same, with what it returns thrown into the black hole. */
    private static MethodHandle consumed(MethodHandle call, Object blackhole) throws ReflectiveOperationException {
        Class<?> result = call.type().returnType();
        if (result == void.class) {
            return call;
        }
        Method consume = blackhole.getClass().getMethod("consume", result.isPrimitive() ? result : Object.class);
        MethodHandle sink = MethodHandles.lookup().unreflect(consume).bindTo(blackhole);
        return MethodHandles.filterReturnValue(call, sink.asType(MethodType.methodType(void.class, result)));
    }

    /** The same, with what is done before and after each call. */
    private static MethodHandle surrounded(MethodHandle call, List<JmhStates.Fixture> before, List<JmhStates.Fixture> after)
            throws IllegalAccessException {
        MethodHandle all = call;
        for (int i = before.size() - 1; i >= 0; i--) {
            all = MethodHandles.foldArguments(all, handle(before.get(i)));
        }
        for (JmhStates.Fixture fixture : after) {
            all = MethodHandles.foldArguments(handle(fixture), all);
        }
        return all.asType(NOTHING);
    }

    private static MethodHandle handle(JmhStates.Fixture fixture) throws IllegalAccessException {
        Object object = Modifier.isStatic(fixture.method().getModifiers()) ? null : fixture.object();
        return bound(fixture.method(), object, fixture.arguments()).asType(NOTHING);
    }
}
