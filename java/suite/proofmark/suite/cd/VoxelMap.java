package proofmark.suite.cd;

import java.util.function.Consumer;
import proofmark.suite.collections.Sequence;
import proofmark.suite.collections.Table;

/** The motions of one frame by the voxels they touch: only those in a common voxel can collide. */
final class VoxelMap {
    private static final double MARGIN = 0.5;
    private static final int FIRST = 0;
    private static final int LAST = 500;

    private final Table<Voxel, Sequence<Motion>> motionsByVoxel = new Table<>();

    /** Enters a motion in every voxel that it touches; what lies outside the map is left out. */
    void draw(Motion motion) {
        Vector3 from = motion.from();
        Vector3 to = motion.to();
        int lastColumn = last(from.x(), to.x());
        int lastRow = last(from.y(), to.y());
        for (int column = first(from.x(), to.x()); column <= lastColumn; column++) {
            for (int row = first(from.y(), to.y()); row <= lastRow; row++) {
                drawIn(new Voxel(column, row), motion);
            }
        }
    }

    private static int first(double one, double other) {
        return Math.max(FIRST, Voxel.firstAt(Math.min(one, other) - MARGIN));
    }

    private static int last(double one, double other) {
        return Math.min(LAST, Voxel.lastAt(Math.max(one, other) + MARGIN));
    }

    private void drawIn(Voxel voxel, Motion motion) {
        if (!motion.touches(voxel, MARGIN)) {
            return;
        }
        Sequence<Motion> motions = motionsByVoxel.get(voxel);
        if (motions == null) {
            motions = new Sequence<>();
            motionsByVoxel.put(voxel, motions);
        }
        motions.add(motion);
    }

    /** Gives the motions of every voxel to {@code action}. */
    void forEachVoxel(Consumer<Sequence<Motion>> action) {
        motionsByVoxel.forEachValue(action);
    }
}
