package proofmark.suite;

/**
 * Permutations: goes through the orders of 6 elements by swapping, recursively, and counts its own calls.
 *
 * <p>Size: 6 elements. Expected: 8660 calls. A call for n elements makes n + 1 calls for n - 1, so
 * c(0) = 1, c(n) = 1 + (n + 1) c(n - 1), c(6) = 8660. The array is back in order at the end, or the count is -1.
 *
 * <p>Described in: "Perm" of Hennessy's Stanford integer suite (by D. Novak).
 */
public final class Permute extends Program {
    private static final int ELEMENTS = 6;
    private static final int CALLS = 8660;

    private int calls;
    private int[] values;

    @Override
    public Object run() {
        calls = 0;
        values = new int[ELEMENTS];
        for (int i = 0; i < ELEMENTS; i++) {
            values[i] = i;
        }
        permute(ELEMENTS);
        return inOrder() ? calls : -1;
    }

    @Override
    public boolean check(Object result) {
        return result.equals(CALLS);
    }

    @Override
    public int repetitions() {
        return 600;
    }

    private void permute(int length) {
        calls++;
        if (length == 0) {
            return;
        }
        int last = length - 1;
        permute(last);
        for (int i = last; i >= 0; i--) {
            swap(last, i);
            permute(last);
            swap(last, i);
        }
    }

    private void swap(int i, int j) {
        int held = values[i];
        values[i] = values[j];
        values[j] = held;
    }

    private boolean inOrder() {
        for (int i = 0; i < ELEMENTS; i++) {
            if (values[i] != i) {
                return false;
            }
        }
        return true;
    }
}
