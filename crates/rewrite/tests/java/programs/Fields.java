/** What exceptions leave in fields. */
class Fields {
    /** Exceptions behind, between and in front of accesses of this object's own fields. */
    static class Cell {
        private int value;
        private long wide;
        private Cell next;
        private int[] all;

        int bump(int by) {
            value += by;
            wide = value + wide * 2;
            next.value += by;
            return value;
        }

        int given(Cell other, int by) {
            value = other.value + by;
            other.wide = wide = by;
            return value;
        }

        int puts(Cell other, int by) {
            value = by;
            other.value = by;
            return by;
        }

        int callsOwn(int by) {
            value ^= by;
            return divided(by) + inner(by) + value;
        }

        int callsOther(Cell other, int by) {
            value = by;
            return other.inner(by) + value;
        }

        int array(int at) {
            if (all == null) {
                all = new int[2];
            }
            value++;
            return all[at] + (value = at);
        }

        private int inner(int by) {
            wide++;
            if (by % 5 == 0) {
                throw new IllegalStateException("inner " + by);
            }
            return (int) wide;
        }

        private static int divided(int by) {
            return 12 / (by % 3);
        }

        int all(int round) {
            int sum = 0;
            for (int way = 0; way < 6; way++) {
                try {
                    sum += switch (way) {
                        case 0 -> bump(round);
                        case 1 -> given(round % 2 == 0 ? null : this, round);
                        case 2 -> callsOwn(round);
                        case 3 -> callsOther(round % 2 == 0 ? null : this, round);
                        case 4 -> puts(round % 2 == 0 ? null : this, round);
                        default -> array(round % 4);
                    };
                } catch (RuntimeException e) {
                    sum += 1000 + way;
                }
            }
            return sum;
        }
    }

    static int all() {
        int sum = 0;
        Cell cell = new Cell();
        for (int round = 0; round < 40; round++) {
            cell.next = round % 7 == 0 ? null : new Cell();
            sum = sum * 3 + cell.all(round);
        }
        return sum;
    }
}
