package proofmark.suite.richards;

/** The simulated machine: six tasks, a scheduler, and two counts that tell whether it worked right. */
public final class Machine {
    static final int IDLER = 0;
    static final int WORKER = 1;
    static final int HANDLER_A = 2;
    static final int HANDLER_B = 3;
    static final int DEVICE_A = 4;
    static final int DEVICE_B = 5;

    private static final int TASKS = 6;
    private static final int IDLE_ROUNDS = 10_000;

    private final Task[] tasks = new Task[TASKS];
    private Task last;
    private Task current;
    private int queued;
    private int held;

    /** The machine of the benchmark, not started yet. */
    public Machine() {
        add(new Idler(this, IDLE_ROUNDS));
        add(new Worker(this, last, packets(2, WORKER, Packet.Kind.WORK)).waitForPacket());
        add(new Handler(this, last, HANDLER_A, 2000, packets(3, DEVICE_A, Packet.Kind.DEVICE)).waitForPacket());
        add(new Handler(this, last, HANDLER_B, 3000, packets(3, DEVICE_B, Packet.Kind.DEVICE)).waitForPacket());
        add(new Device(this, last, DEVICE_A, 4000).waitForPacket());
        add(new Device(this, last, DEVICE_B, 5000).waitForPacket());
    }

    private void add(Task task) {
        tasks[task.number()] = task;
        last = task;
    }

    private static Packet packets(int count, int partner, Packet.Kind kind) {
        Packet queue = null;
        for (int i = 0; i < count; i++) {
            queue = new Packet(queue, partner, kind);
        }
        return queue;
    }

    /** Runs the tasks until none can go on. */
    public void schedule() {
        current = last;
        while (current != null) {
            current = current.mustBePassedOver() ? current.nextInLine() : current.resume();
        }
    }

    /** How many packets were queued. */
    public int queued() {
        return queued;
    }

    /** How often a task was held. */
    public int held() {
        return held;
    }

    /** Sends a packet of the current task to its partner. */
    Task send(Packet packet) {
        Task receiver = tasks[packet.partner()];
        queued++;
        packet.setPartner(current.number());
        return receiver.receive(packet, current);
    }

    Task waitCurrent() {
        return current.waitForPacket();
    }

    Task holdCurrent() {
        held++;
        return current.hold();
    }

    Task release(int number) {
        Task task = tasks[number];
        task.release();
        return task.moreUrgent(current);
    }
}
