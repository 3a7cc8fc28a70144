package proofmark.suite.richards;

/** Passes the letters of packets of work on to a device, one letter in each packet of the device. */
final class Handler extends Task {
    private Packet workQueue;
    private Packet deviceQueue;

    Handler(Machine machine, Task nextInLine, int number, int priority, Packet inbox) {
        super(machine, nextInLine, number, priority, inbox);
    }

    @Override
    protected Task work(Packet packet) {
        if (packet != null) {
            sort(packet);
        }
        if (workQueue == null) {
            return machine.waitCurrent();
        }
        if (workQueue.datum() >= Packet.LETTERS) {
            return returnWork();
        }
        return deviceQueue == null ? machine.waitCurrent() : passLetter();
    }

    private void sort(Packet packet) {
        if (packet.isWork()) {
            workQueue = packet.appendedTo(workQueue);
        } else {
            deviceQueue = packet.appendedTo(deviceQueue);
        }
    }

    private Task returnWork() {
        Packet done = workQueue;
        workQueue = done.next();
        return machine.send(done);
    }

    private Task passLetter() {
        Packet carrier = deviceQueue;
        deviceQueue = carrier.next();
        int position = workQueue.datum();
        carrier.setDatum(workQueue.letter(position));
        workQueue.setDatum(position + 1);
        return machine.send(carrier);
    }
}
