package proofmark.suite;

import proofmark.suite.richards.Machine;

/**
 * Richards: a simulated operating-system kernel whose tasks of different priority pass packets to each other.
 *
 * <p>Size: an idle task that is run 10 000 times, one worker, two handlers, two devices. Expected: 23246 packets
 * queued, 9297 holds, the published counts for this size.
 *
 * <p>Described in: Martin Richards' benchmark (Cambridge, 1981) and his page about it,
 * https://www.cl.cam.ac.uk/~mr10/Bench.html.
 */
public final class Richards extends Program {
    private static final String COUNTS = "23246 queued, 9297 held";

    @Override
    public Object run() {
        Machine machine = new Machine();
        machine.schedule();
        return machine.queued() + " queued, " + machine.held() + " held";
    }

    @Override
    public boolean check(Object result) {
        return result.equals(COUNTS);
    }

    @Override
    public int repetitions() {
        return 25;
    }
}
