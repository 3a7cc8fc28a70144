package proofmark.suite;

import java.util.Arrays;

/**
 * Eight queens: places 8 queens on an 8 x 8 board so that none attacks another, by backtracking over columns.
 *
 * <p>Size: 8 queens, first solution only, solved 10 times per run. Expected: true, a solution every time.
 *
 * <p>Described in: N. Wirth, "Program Development by Stepwise Refinement" (1971), with one flag per row, per rising
 * and per falling diagonal; as a benchmark, "Queens" of Hennessy's Stanford integer suite.
 */
public final class Queens extends Program {
    private static final int SIZE = 8;
    private static final int SOLVES = 10;

    private boolean[] freeRows;
    private boolean[] freeRising;
    private boolean[] freeFalling;
    private int[] rowOfColumn;

    @Override
    public Object run() {
        boolean solved = true;
        for (int i = 0; i < SOLVES; i++) {
            solved = queens() && solved;
        }
        return solved;
    }

    @Override
    public boolean check(Object result) {
        return result.equals(true);
    }

    @Override
    public int repetitions() {
        return 800;
    }

    private boolean queens() {
        freeRows = allFree(SIZE);
        freeRising = allFree(2 * SIZE - 1);
        freeFalling = allFree(2 * SIZE - 1);
        rowOfColumn = new int[SIZE];
        Arrays.fill(rowOfColumn, -1);
        return placeQueen(0);
    }

    private static boolean[] allFree(int length) {
        boolean[] flags = new boolean[length];
        Arrays.fill(flags, true);
        return flags;
    }

    private boolean placeQueen(int column) {
        if (column == SIZE) {
            return true;
        }
        for (int row = 0; row < SIZE; row++) {
            if (getRowColumn(row, column)) {
                rowOfColumn[column] = row;
                setRowColumn(row, column, false);
                if (placeQueen(column + 1)) {
                    return true;
                }
                setRowColumn(row, column, true);
            }
        }
        return false;
    }

    private boolean getRowColumn(int row, int column) {
        return freeRows[row] && freeRising[row + column] && freeFalling[row - column + SIZE - 1];
    }

    private void setRowColumn(int row, int column, boolean free) {
        freeRows[row] = free;
        freeRising[row + column] = free;
        freeFalling[row - column + SIZE - 1] = free;
    }
}
