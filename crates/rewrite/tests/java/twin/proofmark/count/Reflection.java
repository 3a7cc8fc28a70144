package proofmark.count;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;

/** Hides what was added. */
public final class Reflection {
    private static boolean original(Executable one) {
        return Arrays.stream(one.getParameterTypes()).noneMatch(type -> type == Frame.class || type == Node.class);
    }

    public static Method[] getMethods(Class<?> c) {
        return Arrays.stream(c.getMethods()).filter(Reflection::original).toArray(Method[]::new);
    }

    public static Method[] getDeclaredMethods(Class<?> c) {
        return Arrays.stream(c.getDeclaredMethods()).filter(Reflection::original).toArray(Method[]::new);
    }

    public static Constructor<?>[] getConstructors(Class<?> c) {
        return Arrays.stream(c.getConstructors()).filter(Reflection::original).toArray(Constructor[]::new);
    }

    public static Constructor<?>[] getDeclaredConstructors(Class<?> c) {
        return Arrays.stream(c.getDeclaredConstructors()).filter(Reflection::original).toArray(Constructor[]::new);
    }

    public static Object newProxyInstance(ClassLoader loader, Class<?>[] types, InvocationHandler handler) {
        return Proxy.newProxyInstance(loader, types, new Old(handler));
    }

    public static InvocationHandler getInvocationHandler(Object proxy) {
        return ((Old) Proxy.getInvocationHandler(proxy)).handler;
    }

    private record Old(InvocationHandler handler) implements InvocationHandler {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            Class<?>[] types = method.getParameterTypes();
            int length = types.length;
            while (length > 0 && !original(method)) {
                length--;
                if (types[length] == Context.class || types[length] == Node.class) {
                    Class<?>[] old = Arrays.copyOf(types, length);
                    method = method.getDeclaringClass().getMethod(method.getName(), old);
                    arguments = length == 0 ? null : Arrays.copyOf(arguments, length);
                }
            }
            return handler.invoke(proxy, method, arguments);
        }
    }
}
