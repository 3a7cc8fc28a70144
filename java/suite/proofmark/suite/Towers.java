package proofmark.suite;

/**
 * Towers of Hanoi: moves 13 disks from the first of three piles to the second, recursively.
 *
 * <p>Size: 13 disks. Expected: 2^13 - 1 = 8191 moves. Each pile is a linked stack of disks, and every push checks
 * that no disk lies on a smaller one.
 *
 * <p>Described in: E. Lucas, "R&eacute;cr&eacute;ations math&eacute;matiques" (1883); as a benchmark, "Towers" of
 * Hennessy's Stanford integer suite.
 */
public final class Towers extends Program {
    private static final int DISKS = 13;
    private static final int MOVES = (1 << DISKS) - 1;

    @Override
    public Object run() {
        Board board = new Board(DISKS);
        board.moveDisks(DISKS, 0, 1);
        return board.moves();
    }

    @Override
    public boolean check(Object result) {
        return result.equals(MOVES);
    }

    @Override
    public int repetitions() {
        return 400;
    }

    /** A disk, and the one that lies below it on the same pile. */
    private static final class Disk {
        private final int size;
        private Disk below;

        Disk(int size) {
            this.size = size;
        }

        int size() {
            return size;
        }

        Disk below() {
            return below;
        }

        void layOn(Disk disk) {
            below = disk;
        }
    }

    /** Three piles and a count of the moves made between them. */
    private static final class Board {
        private final Disk[] tops = new Disk[3];
        private int moves;

        Board(int disks) {
            for (int size = disks; size > 0; size--) {
                pushDisk(new Disk(size), 0);
            }
        }

        int moves() {
            return moves;
        }

        void pushDisk(Disk disk, int pile) {
            Disk top = tops[pile];
            if (top != null && top.size() <= disk.size()) {
                throw new IllegalStateException("disk " + disk.size() + " does not fit on disk " + top.size());
            }
            disk.layOn(top);
            tops[pile] = disk;
        }

        Disk popDiskFrom(int pile) {
            Disk top = tops[pile];
            if (top == null) {
                throw new IllegalStateException("pile " + pile + " is empty");
            }
            tops[pile] = top.below();
            top.layOn(null);
            return top;
        }

        void moveTopDisk(int from, int to) {
            pushDisk(popDiskFrom(from), to);
            moves++;
        }

        void moveDisks(int count, int from, int to) {
            if (count == 1) {
                moveTopDisk(from, to);
                return;
            }
            int spare = 3 - from - to;
            moveDisks(count - 1, from, spare);
            moveTopDisk(from, to);
            moveDisks(count - 1, spare, to);
        }
    }
}
