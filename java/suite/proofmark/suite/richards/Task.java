package proofmark.suite.richards;

/** A task of the machine: its place in the schedule, its state, and the packets that wait for it. */
abstract class Task {
    private final Task nextInLine;
    private final int number;
    private final int priority;
    private Packet inbox;
    private boolean packetPending;
    private boolean waiting;
    private boolean held;

    /** The machine the task runs on. */
    protected final Machine machine;

    Task(Machine machine, Task nextInLine, int number, int priority, Packet inbox) {
        this.machine = machine;
        this.nextInLine = nextInLine;
        this.number = number;
        this.priority = priority;
        this.inbox = inbox;
        this.packetPending = inbox != null;
    }

    /** Does the task's own work with a packet, or null, and says which task is next. */
    protected abstract Task work(Packet packet);

    Task nextInLine() {
        return nextInLine;
    }

    int number() {
        return number;
    }

    boolean mustBePassedOver() {
        return held || waiting && !packetPending;
    }

    /** Hands the task its next packet if it waits for one, and lets it work. */
    Task resume() {
        return work(isWaitingWithPacket() ? takePacket() : null);
    }

    private boolean isWaitingWithPacket() {
        return waiting && packetPending;
    }

    private Packet takePacket() {
        Packet packet = inbox;
        inbox = packet.next();
        packet.unlink();
        waiting = false;
        packetPending = inbox != null;
        return packet;
    }

    /** Waits for a packet from now on. */
    Task waitForPacket() {
        waiting = true;
        return this;
    }

    /** Stops until released; the next task in line takes over. */
    Task hold() {
        held = true;
        return nextInLine;
    }

    void release() {
        held = false;
    }

    /** Puts a packet in the inbox; the task to go on with is this one if it is more urgent. */
    Task receive(Packet packet, Task sender) {
        if (inbox != null) {
            inbox = packet.appendedTo(inbox);
            return sender;
        }
        packet.unlink();
        inbox = packet;
        packetPending = true;
        return moreUrgent(sender);
    }

    /** This task if its priority is above the other's, else the other. */
    Task moreUrgent(Task other) {
        return priority > other.priority ? this : other;
    }
}
