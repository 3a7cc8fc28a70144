package proofmark.suite.cd;

/** A place or a difference of places. */
final class Vector3 {
    private final double x;
    private final double y;
    private final double z;

    Vector3(double x, double y, double z) {
        this.x = x;
        this.y = y;
        this.z = z;
    }

    double x() {
        return x;
    }

    double y() {
        return y;
    }

    Vector3 plus(Vector3 other) {
        return new Vector3(x + other.x, y + other.y, z + other.z);
    }

    Vector3 minus(Vector3 other) {
        return new Vector3(x - other.x, y - other.y, z - other.z);
    }

    Vector3 times(double factor) {
        return new Vector3(x * factor, y * factor, z * factor);
    }

    double dot(Vector3 other) {
        return x * other.x + y * other.y + z * other.z;
    }

    double squaredLength() {
        return dot(this);
    }
}
