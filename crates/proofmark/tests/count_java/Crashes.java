import java.lang.reflect.Field;

/** Ends its JVM by writing where nobody may. */
public final class Crashes {
    private Crashes() {
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        Field field = type.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        type.getMethod("putInt", long.class, int.class).invoke(field.get(null), 8L, 1);
    }
}
