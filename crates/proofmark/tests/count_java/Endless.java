/** Says that it runs, and does not end by itself. */
public final class Endless {
    private Endless() {
    }

    public static void main(String[] arguments) {
        long sum = 0;
        for (long round = 0; round >= 0; round++) {
            if (round == 100_000) {
                System.out.println("ready");
            }
            sum = mixed(sum, round);
        }
        System.out.println(sum);
    }

    private static long mixed(long sum, long round) {
        return round % 3 == 0 ? sum + round : sum ^ round;
    }
}
