package proofmark.suite.richards;

/** What tasks send each other; also the link of the queue it waits in. */
final class Packet {
    /** What a packet is for. */
    enum Kind {
        DEVICE,
        WORK
    }

    /** How many letters a packet of work carries. */
    static final int LETTERS = 4;

    private final Kind kind;
    private final int[] letters = new int[LETTERS];
    private Packet next;
    private int partner;
    private int datum;

    /** A packet in front of {@code next}; {@code partner} is the task it goes to or comes from. */
    Packet(Packet next, int partner, Kind kind) {
        this.next = next;
        this.partner = partner;
        this.kind = kind;
    }

    boolean isWork() {
        return kind == Kind.WORK;
    }

    Packet next() {
        return next;
    }

    int partner() {
        return partner;
    }

    void setPartner(int task) {
        partner = task;
    }

    int datum() {
        return datum;
    }

    void setDatum(int value) {
        datum = value;
    }

    int letter(int position) {
        return letters[position];
    }

    void setLetter(int position, int letter) {
        letters[position] = letter;
    }

    void unlink() {
        next = null;
    }

    /** The queue that starts with {@code queue} and ends with this packet. */
    Packet appendedTo(Packet queue) {
        next = null;
        if (queue == null) {
            return this;
        }
        Packet last = queue;
        while (last.next != null) {
            last = last.next;
        }
        last.next = this;
        return queue;
    }
}
