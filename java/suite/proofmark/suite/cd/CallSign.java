package proofmark.suite.cd;

/** What an aircraft is called. */
final class CallSign implements Comparable<CallSign> {
    private final int number;

    CallSign(int number) {
        this.number = number;
    }

    @Override
    public int compareTo(CallSign other) {
        return Integer.compare(number, other.number);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CallSign && ((CallSign) other).number == number;
    }

    @Override
    public int hashCode() {
        return number;
    }
}
