package proofmark.count;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;

/** Hides from a program what rewriting added to its classes: rewritten code calls these instead of the JDK's. */
public final class Reflection {
    private Reflection() {
    }

    /** {@link Class#getMethods()}. */
    public static Method[] getMethods(Class<?> of) {
        return methods(of.getMethods());
    }

    /** {@link Class#getDeclaredMethods()}. */
    public static Method[] getDeclaredMethods(Class<?> of) {
        return methods(of.getDeclaredMethods());
    }

    /** {@link Class#getConstructors()}. */
    public static Constructor<?>[] getConstructors(Class<?> of) {
        return constructors(of.getConstructors());
    }

    /** {@link Class#getDeclaredConstructors()}. */
    public static Constructor<?>[] getDeclaredConstructors(Class<?> of) {
        return constructors(of.getDeclaredConstructors());
    }

    /** {@link Proxy#newProxyInstance}; calls of what rewriting added reach the handler as calls of the original. */
    public static Object newProxyInstance(ClassLoader loader, Class<?>[] interfaces, InvocationHandler handler) {
        InvocationHandler translated = handler == null ? null : new Translated(handler);
        return Proxy.newProxyInstance(loader, interfaces, translated);
    }

    /** {@link Proxy#getInvocationHandler}. */
    public static InvocationHandler getInvocationHandler(Object proxy) {
        InvocationHandler handler = Proxy.getInvocationHandler(proxy);
        return handler instanceof Translated translated ? translated.handler : handler;
    }

    private static Method[] methods(Method[] all) {
        int kept = 0;
        for (Method method : all) {
            if (added(method) == 0) {
                all[kept++] = method;
            }
        }
        return kept == all.length ? all : Arrays.copyOf(all, kept);
    }

    private static Constructor<?>[] constructors(Constructor<?>[] all) {
        int kept = 0;
        for (Constructor<?> constructor : all) {
            if (added(constructor) == 0) {
                all[kept++] = constructor;
            }
        }
        return kept == all.length ? all : Arrays.copyOf(all, kept);
    }

    /** Number of parameters that rewriting added. */
    private static int added(Executable member) {
        if (!member.isSynthetic()) {
            return 0;
        }
        Class<?>[] types = member.getParameterTypes();
        int last = types.length - 1;
        if (last >= 0 && types[last] == Node.class) {
            return 1;
        }
        return last >= 2 && types[last - 1] == Frame.class && types[last - 2] == Context.class ? 3 : 0;
    }

    private static final class Translated implements InvocationHandler {
        private final InvocationHandler handler;

        Translated(InvocationHandler handler) {
            this.handler = handler;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            int added = added(method);
            if (added == 0) {
                return handler.invoke(proxy, method, arguments);
            }
            int kept = arguments.length - added;
            Class<?>[] types = Arrays.copyOf(method.getParameterTypes(), kept);
            Method original = method.getDeclaringClass().getMethod(method.getName(), types);
            Object[] given = kept == 0 ? null : Arrays.copyOf(arguments, kept);
            if (added == 1) {
                Node parent = (Node) arguments[kept];
                Node.pass(parent);
                try {
                    return handler.invoke(proxy, original, given);
                } finally {
                    Node.back(parent);
                }
            }
            Context c = (Context) arguments[kept];
            Context.pass(c, (Frame) arguments[kept + 1], (Long) arguments[kept + 2]);
            try {
                return handler.invoke(proxy, original, given);
            } finally {
                Context.back(c);
            }
        }
    }
}
