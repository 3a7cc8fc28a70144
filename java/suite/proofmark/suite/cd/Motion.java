package proofmark.suite.cd;

/** The straight way of an aircraft from one frame to the next. */
final class Motion {
    private static final double TOO_CLOSE = 1.0;

    private final CallSign callSign;
    private final Vector3 from;
    private final Vector3 way;

    Motion(CallSign callSign, Vector3 from, Vector3 to) {
        this.callSign = callSign;
        this.from = from;
        this.way = to.minus(from);
    }

    CallSign callSign() {
        return callSign;
    }

    Vector3 from() {
        return from;
    }

    Vector3 to() {
        return from.plus(way);
    }

    /** Where this aircraft is when the other is nearest, if that is too close; else null. */
    Vector3 collisionWith(Motion other) {
        Vector3 distance = from.minus(other.from);
        Vector3 drift = way.minus(other.way);
        double moment = momentOfLeast(distance, drift);
        Vector3 least = distance.plus(drift.times(moment));
        return least.squaredLength() <= TOO_CLOSE * TOO_CLOSE ? from.plus(way.times(moment)) : null;
    }

    /** The moment between 0 and 1 when {@code distance + moment * drift} is shortest. */
    private static double momentOfLeast(Vector3 distance, Vector3 drift) {
        double speed = drift.squaredLength();
        if (speed == 0.0) {
            return 0.0;
        }
        return Math.min(1.0, Math.max(0.0, -distance.dot(drift) / speed));
    }

    /** Whether the way touches the voxel made wider by {@code margin} on each side; its edge counts. */
    boolean touches(Voxel voxel, double margin) {
        double west = voxel.west() - margin;
        double south = voxel.south() - margin;
        double side = Voxel.SIZE + 2.0 * margin;
        double enter = Math.max(enter(from.x(), way.x(), west, side), enter(from.y(), way.y(), south, side));
        double leave = Math.min(leave(from.x(), way.x(), west, side), leave(from.y(), way.y(), south, side));
        return Math.max(enter, 0.0) <= Math.min(leave, 1.0);
    }

    /** The moment when a coordinate comes into the range that begins at {@code low}. */
    private static double enter(double start, double speed, double low, double length) {
        if (speed == 0.0) {
            return low <= start && start <= low + length ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return ((speed > 0.0 ? low : low + length) - start) / speed;
    }

    /** The moment when a coordinate leaves that range. */
    private static double leave(double start, double speed, double low, double length) {
        if (speed == 0.0) {
            return Double.POSITIVE_INFINITY;
        }
        return ((speed > 0.0 ? low + length : low) - start) / speed;
    }
}
