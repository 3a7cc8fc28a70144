/** Methods in which a loop is not easily put in; also as Java 7 knows them. Each prints what it computes. */
public class Victims {
    final int base;
    long sum;

    static int twice(int x) {
        return 2 * x;
    }

    /** Arguments of the other constructor with branches in them. */
    static class Branchy extends Victims {
        final Object[] kept;

        Branchy(int x, Object... more) {
            super(x > 3 ? twice(x) : x < 0 ? -x : new Victims(x).base, more.length == 0 ? "none" : new String("some"));
            kept = more;
            for (Object one : more) {
                sum += one.hashCode();
            }
        }
    }

    /** Captures what surrounds it before the other constructor is called. */
    class Inner extends Victims {
        Inner(double d) {
            super((int) d);
            sum += base + Victims.this.base;
        }
    }

    Victims(int base) {
        this.base = base;
    }

    Victims(int base, String word) {
        this(base + word.length());
        sum = base;
    }

    /** The first bytecode is the target of a branch. */
    int startsWithLoop(int n) {
        do {
            n -= 3;
            sum += n;
        } while (n > 0);
        return n;
    }

    /** The method begins inside of a range of a handler, and a handler is reached by falling into it. */
    static int caught(int[] numbers, int at) {
        try {
            return numbers[at] / (at - 2);
        } catch (ArithmeticException e) {
            return -1;
        } catch (ArrayIndexOutOfBoundsException e) {
            return -2;
        } finally {
            numbers[0]++;
        }
    }

    static String switched(int n, long wide, double other) {
        switch (n) {
            case 1: return "one";
            case 2: case 3: wide += 5; break;
            case 1000: other *= 2; break;
            default: return "default";
        }
        return wide + " " + other;
    }

    static long loops(long wide, int n) {
        long result = wide;
        for (int i = 0; i < n; i++) {
            double scale = i;
            for (int j = i; j < n; j++) {
                String word = j % 2 == 0 ? "even" : "odd";
                result += word.length() * (long) scale;
            }
            while (result % 7 != 0) {
                result++;
            }
        }
        return result;
    }

    /** A loop inside of an expression: javac leaves nothing on the stack, but a frame holds an object that is being made. */
    static StringBuilder making(int n) {
        return new StringBuilder(n > 5 ? n : twice(n)).append(n > 0 ? making(n - 1).length() : 0);
    }

    static synchronized int locked(Object lock, int n) {
        synchronized (lock) {
            while (n > 10) {
                n /= 2;
            }
        }
        return n;
    }

    static int deep(int n) {
        return n == 0 ? 0 : 1 + deep(n - 1);
    }

    public static void main(String[] arguments) {
        Victims victims = new Victims(4, "word");
        System.out.println(victims.base + " " + victims.sum + " " + victims.startsWithLoop(10) + " " + victims.sum);
        for (int x : new int[] {-1, 2, 9}) {
            Branchy branchy = new Branchy(x, "a", x);
            System.out.println(branchy.base + " " + branchy.sum + " " + branchy.kept.length + " " + new Branchy(x).base);
        }
        System.out.println(victims.new Inner(3.7).sum);
        for (int at = -1; at < 4; at++) {
            System.out.print(caught(new int[] {8, 6, 4}, at) + " ");
        }
        for (int n : new int[] {1, 2, 3, 1000, 7}) {
            System.out.print(switched(n, 1L << 40, 0.5) + ", ");
        }
        System.out.println(loops(5, 9) + " " + making(9) + " " + locked(victims, 1234) + " " + deep(500));
        if (arguments.length > 0) {
            Runtime.getRuntime().exit(3);
        }
        System.exit(4);
    }
}
