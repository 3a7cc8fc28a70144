package proofmark.suite.richards;

/** Fills each packet of work with the next letters of the alphabet and sends it to the two handlers in turn. */
final class Worker extends Task {
    private static final int ALPHABET = 26;

    private int handler = Machine.HANDLER_A;
    private int letter;

    Worker(Machine machine, Task nextInLine, Packet inbox) {
        super(machine, nextInLine, Machine.WORKER, 1000, inbox);
    }

    @Override
    protected Task work(Packet packet) {
        if (packet == null) {
            return machine.waitCurrent();
        }
        handler = Machine.HANDLER_A + Machine.HANDLER_B - handler;
        packet.setPartner(handler);
        packet.setDatum(0);
        for (int i = 0; i < Packet.LETTERS; i++) {
            packet.setLetter(i, 'A' + letter);
            letter = (letter + 1) % ALPHABET;
        }
        return machine.send(packet);
    }
}
