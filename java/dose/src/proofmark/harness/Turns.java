package proofmark.harness;

/**
 * Loops with nothing in them but a site, each of another length: they tell how long a turn takes on this machine and by
 * this JVM's compilers.
 */
final class Turns {
    private static int passed;

    private Turns() {
    }

    /** Passes one of the loops so often. */
    static void pass(int slot, int passes) {
        switch (slot) {
            case 0 -> slot0(passes);
            case 1 -> slot1(passes);
            case 2 -> slot2(passes);
            case 3 -> slot3(passes);
            case 4 -> slot4(passes);
            case 5 -> slot5(passes);
            case 6 -> slot6(passes);
            case 7 -> slot7(passes);
            default -> throw new IllegalArgumentException("no loop " + slot);
        }
    }

    private static void slot0(int passes) {
        for (int i = 0; i < passes; i++) {
            passed++;
        }
    }

    private static void slot1(int passes) {
        for (int i = 0; i < passes; i++) {
            passed++;
        }
    }

    private static void slot2(int passes) {
        for (int i = 0; i < passes; i++) {
            passed++;
        }
    }

    private static void slot3(int passes) {
        for (int i = 0; i < passes; i++) {
            passed++;
        }
    }

    private static void slot4(int passes) {
        for (int i = 0; i < passes; i++) {
            passed++;
        }
    }

    private static void slot5(int passes) {
        for (int i = 0; i < passes; i++) {
            passed++;
        }
    }

    private static void slot6(int passes) {
        for (int i = 0; i < passes; i++) {
            passed++;
        }
    }

    private static void slot7(int passes) {
        for (int i = 0; i < passes; i++) {
            passed++;
        }
    }
}
