package proofmark.suite.cd;

/** An aircraft where the radar saw it. */
public final class Aircraft {
    private final CallSign callSign;
    private final Vector3 position;

    Aircraft(CallSign callSign, Vector3 position) {
        this.callSign = callSign;
        this.position = position;
    }

    CallSign callSign() {
        return callSign;
    }

    Vector3 position() {
        return position;
    }
}
