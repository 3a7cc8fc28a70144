package proofmark.suite.richards;

/** Keeps a packet while it is held, as if an interrupt had to come, and returns it once released. */
final class Device extends Task {
    private Packet kept;

    Device(Machine machine, Task nextInLine, int number, int priority) {
        super(machine, nextInLine, number, priority, null);
    }

    @Override
    protected Task work(Packet packet) {
        if (packet != null) {
            kept = packet;
            return machine.holdCurrent();
        }
        if (kept == null) {
            return machine.waitCurrent();
        }
        Packet done = kept;
        kept = null;
        return machine.send(done);
    }
}
