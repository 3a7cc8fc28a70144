package proofmark.suite.collections;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A list that grows at the end and can be taken from at the front, on one array.
 *
 * <p>The suite has its own collections so that the same code is compiled whatever library the JVM brings.
 */
public final class Sequence<E> {
    private static final int FIRST_CAPACITY = 8;

    private Object[] slots = new Object[FIRST_CAPACITY];
    private int first;
    private int end;

    /** How many elements there are. */
    public int size() {
        return end - first;
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return end == first;
    }

    /** Adds an element at the end. */
    public void add(E element) {
        if (end == slots.length) {
            makeRoom();
        }
        slots[end] = element;
        end++;
    }

    private void makeRoom() {
        int size = size();
        Object[] target = 2 * size > slots.length ? new Object[2 * slots.length] : slots;
        System.arraycopy(slots, first, target, 0, size);
        if (target == slots) {
            Arrays.fill(slots, size, end, null);
        }
        slots = target;
        first = 0;
        end = size;
    }

    /** The element at a position counted from 0. */
    public E at(int position) {
        return elementAt(first + checked(position));
    }

    /** Replaces the element at a position. */
    public void put(int position, E element) {
        slots[first + checked(position)] = element;
    }

    private int checked(int position) {
        if (position < 0 || position >= size()) {
            throw new IndexOutOfBoundsException("position " + position + " of " + size());
        }
        return position;
    }

    @SuppressWarnings("unchecked")
    private E elementAt(int slot) {
        return (E) slots[slot];
    }

    /** Takes the first element away. */
    public E removeFirst() {
        E element = at(0);
        slots[first] = null;
        first++;
        return element;
    }

    /** Takes the last element away. */
    public E removeLast() {
        E element = at(size() - 1);
        end--;
        slots[end] = null;
        return element;
    }

    /** Takes one occurrence of this very object away; false when it is not there. */
    public boolean remove(E element) {
        for (int slot = first; slot < end; slot++) {
            if (slots[slot] == element) {
                System.arraycopy(slots, slot + 1, slots, slot, end - slot - 1);
                end--;
                slots[end] = null;
                return true;
            }
        }
        return false;
    }

    /** Whether this very object is among the elements. */
    public boolean contains(E element) {
        for (int slot = first; slot < end; slot++) {
            if (slots[slot] == element) {
                return true;
            }
        }
        return false;
    }

    /** Gives every element in order to {@code action}. */
    public void forEach(Consumer<? super E> action) {
        for (int slot = first; slot < end; slot++) {
            action.accept(elementAt(slot));
        }
    }
}
