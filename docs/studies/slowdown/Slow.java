package proofmark.suite;

/** What the loops that are put into a method read and leave. */
public final class Slow {
    /** Lower six bits: turns of a loop that reads them. Above them a number to begin with, so that nothing is known beforehand. */
    public static int dose;
    /** Where a loop leaves its result. */
    public static int sink;
    /** How often the method was entered. */
    public static long calls;

    private Slow() {
    }
}
