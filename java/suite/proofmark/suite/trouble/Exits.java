package proofmark.suite.trouble;

/** A main that works for about 10 ms and then calls System.exit with status 7. */
public final class Exits {
    private static final int STATUS = 7;

    private Exits() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) {
        System.exit(Load.work(1) == Load.RESULT ? STATUS : 1);
    }
}
