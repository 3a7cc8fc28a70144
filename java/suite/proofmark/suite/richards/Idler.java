package proofmark.suite.richards;

/** The task of lowest priority: releases one of the devices, picked by a shift register, a given number of times. */
final class Idler extends Task {
    private static final int FEEDBACK = 0xD008;

    private int register = 1;
    private int roundsLeft;

    Idler(Machine machine, int rounds) {
        super(machine, null, Machine.IDLER, 0, null);
        roundsLeft = rounds;
    }

    @Override
    protected Task work(Packet none) {
        roundsLeft--;
        if (roundsLeft == 0) {
            return machine.holdCurrent();
        }
        boolean lowestBit = (register & 1) != 0;
        register >>>= 1;
        if (lowestBit) {
            register ^= FEEDBACK;
            return machine.release(Machine.DEVICE_B);
        }
        return machine.release(Machine.DEVICE_A);
    }
}
