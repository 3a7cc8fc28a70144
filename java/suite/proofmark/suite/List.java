package proofmark.suite;

/**
 * Linked lists: Takeuchi's function with list lengths for numbers.
 *
 * <p>Size: lists of 15, 10 and 6 elements. Expected: a list of 10 elements. Takeuchi's recursion in McCarthy's form
 * returns its third argument when the first is not the longer one; taking one off is taking the tail.
 *
 * <p>Described in: R. P. Gabriel, "Performance and Evaluation of Lisp Systems" (1985), the "TAKL" benchmark.
 */
public final class List extends Program {
    private static final int LENGTH = 10;

    @Override
    public Object run() {
        return tail(makeList(15), makeList(10), makeList(6)).length();
    }

    @Override
    public boolean check(Object result) {
        return result.equals(LENGTH);
    }

    @Override
    public int repetitions() {
        return 800;
    }

    private static Element makeList(int length) {
        return length == 0 ? null : new Element(length, makeList(length - 1));
    }

    private static Element tail(Element x, Element y, Element z) {
        if (!isShorter(y, x)) {
            return z;
        }
        return tail(tail(x.next(), y, z), tail(y.next(), z, x), tail(z.next(), x, y));
    }

    private static boolean isShorter(Element left, Element right) {
        Element one = left;
        Element other = right;
        while (other != null) {
            if (one == null) {
                return true;
            }
            one = one.next();
            other = other.next();
        }
        return false;
    }

    /** One element of a list; null is the empty list. */
    private static final class Element {
        private final int value;
        private final Element next;

        Element(int value, Element next) {
            this.value = value;
            this.next = next;
        }

        Element next() {
            return next;
        }

        /** The length of the list; -1 when the values are not its own lengths counted down. */
        int length() {
            int counted = 0;
            for (Element element = this; element != null; element = element.next) {
                counted++;
            }
            return counted == value ? counted : -1;
        }
    }
}
