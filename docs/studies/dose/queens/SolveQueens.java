import proofmark.suite.Queens;

/** A little of the suite's Queens, for the interpreter: its board solved 400 times. */
public final class SolveQueens {
    private SolveQueens() {}

    public static void main(String[] arguments) {
        Queens queens = new Queens();
        boolean solved = true;
        for (int i = 0; i < 40; i++) {
            solved &= queens.check(queens.run());
        }
        System.out.println(solved ? "ok" : "WRONG");
    }
}
