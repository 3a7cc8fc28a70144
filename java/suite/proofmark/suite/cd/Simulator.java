package proofmark.suite.cd;

import proofmark.suite.collections.Sequence;

/** Lets aircraft fly in pairs, one along a cosine and one along a sine wave, so that each pair meets repeatedly. */
public final class Simulator {
    private static final double AMPLITUDE = 2.0;
    private static final double LANE_WIDTH = 3.0;
    private static final double HEIGHT = 10.0;

    private final Sequence<CallSign> callSigns = new Sequence<>();

    /** A sky with an even number of aircraft. */
    public Simulator(int aircraft) {
        for (int i = 0; i < aircraft; i++) {
            callSigns.add(new CallSign(i));
        }
    }

    /** Where the aircraft are at a time. */
    public Sequence<Aircraft> frame(double time) {
        Sequence<Aircraft> frame = new Sequence<>();
        for (int i = 0; i < callSigns.size(); i += 2) {
            double lane = i * LANE_WIDTH;
            frame.add(aircraft(i, time, Math.cos(time) * AMPLITUDE + lane));
            frame.add(aircraft(i + 1, time, Math.sin(time) * AMPLITUDE + lane));
        }
        return frame;
    }

    private Aircraft aircraft(int number, double x, double y) {
        return new Aircraft(callSigns.at(number), new Vector3(x, y, HEIGHT));
    }
}
