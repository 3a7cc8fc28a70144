package proofmark.suite.cd;

/** Two aircraft that came too close, and where. */
public final class Collision {
    private final CallSign one;
    private final CallSign other;
    private final Vector3 place;

    Collision(CallSign one, CallSign other, Vector3 place) {
        this.one = one;
        this.other = other;
        this.place = place;
    }

    CallSign one() {
        return one;
    }

    CallSign other() {
        return other;
    }

    Vector3 place() {
        return place;
    }
}
