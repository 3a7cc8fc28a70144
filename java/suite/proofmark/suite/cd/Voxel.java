package proofmark.suite.cd;

/** A square of the ground plan, as a key. */
final class Voxel {
    /** The length of a side. */
    static final double SIZE = 2.0;

    private final int column;
    private final int row;

    Voxel(int column, int row) {
        this.column = column;
        this.row = row;
    }

    /** The first column or row that has {@code coordinate} in it or on its far edge. */
    static int firstAt(double coordinate) {
        return (int) Math.ceil(coordinate / SIZE) - 1;
    }

    /** The last column or row that has {@code coordinate} in it or on its near edge. */
    static int lastAt(double coordinate) {
        return (int) Math.floor(coordinate / SIZE);
    }

    double west() {
        return column * SIZE;
    }

    double south() {
        return row * SIZE;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Voxel && ((Voxel) other).column == column && ((Voxel) other).row == row;
    }

    @Override
    public int hashCode() {
        return column * 31_337 + row;
    }
}
