import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntUnaryOperator;

/** A class, and a loader that never answers when it is asked for a class of Proofmark's; with an argument it prints the name, and answers. */
public final class Silent {
    private static boolean answers;
    private static IntUnaryOperator work;

    private Silent() {
    }

    static final class Loader extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            boolean asked = name.startsWith("proofmark.") || name.startsWith("java.lang.Proofmark");
            if (asked && answers) {
                System.out.println("asked for " + name);
            } else if (asked) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException problem) {
                    throw new ClassNotFoundException(name, problem);
                }
            }
            return super.loadClass(name, resolve);
        }

        Class<?> define() throws IOException {
            try (InputStream file = Silent.class.getResourceAsStream("Silent$Work.class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass("Silent$Work", bytes, 0, bytes.length);
            }
        }
    }

    public static class Work implements IntUnaryOperator {
        static int work(int x) {
            for (int i = 0; i < 9; i++) {
                x ^= x >>> 15;
                x *= 0x2c1b3c6d;
            }
            return x;
        }

        @Override
        public int applyAsInt(int x) {
            return work(x);
        }
    }

    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        answers = arguments.length > 0;
        if (work == null) {
            work = (IntUnaryOperator) new Loader().define().getDeclaredConstructor().newInstance();
        }
        int sum = 0;
        for (int i = 0; i < 500; i++) {
            sum += work.applyAsInt(i);
        }
        System.out.println(sum);
    }
}
