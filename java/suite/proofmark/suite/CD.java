package proofmark.suite;

import proofmark.suite.cd.Collision;
import proofmark.suite.cd.CollisionDetector;
import proofmark.suite.cd.Simulator;
import proofmark.suite.collections.Sequence;

/**
 * Collision detection: aircraft fly in waves, and each radar frame is searched for pairs that come too close.
 *
 * <p>Size: 100 aircraft, 200 frames. Expected: 4305 collisions, the published number, where a pair counts once for
 * every voxel that both fly through. An independent program with the same rules gives the published 42 for 2 aircraft,
 * 390 for 10, and 87 more for each further pair: 42 + 49 x 87 = 4305. It also gives the 2776 pairs, all
 * frames taken together (24 more of the first pair's lie outside the map).
 *
 * <p>Described in: T. Kalibera, J. Hagelberg, F. Pizlo, A. Plsek, B. Titzer, J. Vitek, "CDx: A Family of Real-time
 * Java Benchmarks", JTRES 2009.
 */
public final class CD extends Program {
    private static final int AIRCRAFT = 100;
    private static final int FRAMES = 200;
    private static final double FRAMES_PER_SECOND = 10.0;
    private static final String COUNTS = "4305 collisions of 2776 pairs";

    @Override
    public Object run() {
        Simulator simulator = new Simulator(AIRCRAFT);
        CollisionDetector detector = new CollisionDetector();
        int found = 0;
        int pairs = 0;
        for (int frame = 0; frame < FRAMES; frame++) {
            Sequence<Collision> collisions = detector.collisions(simulator.frame(frame / FRAMES_PER_SECOND));
            found += collisions.size();
            pairs += CollisionDetector.pairs(collisions);
        }
        return found + " collisions of " + pairs + " pairs";
    }

    @Override
    public boolean check(Object result) {
        return result.equals(COUNTS);
    }

    @Override
    public int repetitions() {
        return 4;
    }
}
