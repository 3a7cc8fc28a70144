/** Calls into classes of the JDK that programs use most: {@code Jdk ROUNDS}. */
public class Jdk {
    /** Of these methods the JVM treats none specially. */
    static int built(int n) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < n; i++) {
            text.append((long) i).insert(0, "x").reverse();
        }
        return text.length();
    }

    static int computed(int n) {
        int sum = 0;
        for (int i = 1; i <= n; i++) {
            sum += Math.floorMod(-i, 7);
        }
        return sum;
    }

    /** This one is an intrinsic of the compilers, and not counted. */
    static int largest(int n) {
        int largest = 0;
        for (int i = 0; i < n; i++) {
            largest = Math.max(largest, i % 10);
        }
        return largest;
    }

    public static void main(String[] arguments) {
        int sum = 0;
        for (int round = Integer.parseInt(arguments[0]); round > 0; round--) {
            sum += built(20) + computed(50) + largest(50);
        }
        System.out.println(sum);
    }
}
