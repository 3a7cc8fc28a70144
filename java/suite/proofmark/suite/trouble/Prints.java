package proofmark.suite.trouble;

/** A main that works for about 10 ms and prints a text that is the same every time. */
public final class Prints {
    private static final int LINES = 5;

    private Prints() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) {
        for (int line = 1; line <= LINES; line++) {
            System.out.println("line " + line + ": " + Load.work(line, 1_000_000));
        }
    }
}
