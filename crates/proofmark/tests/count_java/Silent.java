import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntUnaryOperator;

/** A loader that never answers when it is asked for a class that counts, and a class of it. */
public class Silent extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    public static class Inside implements IntUnaryOperator {
        @Override
        public int applyAsInt(int x) {
            return x * x + 1;
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("proofmark.")) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException problem) {
                throw new ClassNotFoundException(name, problem);
            }
        }
        return super.loadClass(name, resolve);
    }

    Class<?> define() throws IOException {
        try (InputStream file = Silent.class.getResourceAsStream("Silent$Inside.class")) {
            byte[] bytes = file.readAllBytes();
            return defineClass("Silent$Inside", bytes, 0, bytes.length);
        }
    }

    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        Class<?> type = new Silent().define();
        IntUnaryOperator inside = (IntUnaryOperator) type.getDeclaredConstructor().newInstance();
        System.out.println(inside.applyAsInt(3));
    }
}
