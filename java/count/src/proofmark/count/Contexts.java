package proofmark.count;

import java.util.Arrays;

/**
 * The calling contexts of samples. They lie in arrays of numbers, which the collector need not follow (a large
 * program has millions of them), and are found by two hash values of their whole path: a stack that was seen before
 * costs two misses of the processor's caches, not one per frame. Two paths with both values alike would be taken for
 * one: with five million contexts that happens in one of 10<sup>25</sup> programs.
 *
 * <p>Any call may overflow the thread's stack, and the profile may be written meanwhile by another thread: what
 * belongs together is stored without a call in between, and what others follow comes last.
 */
final class Contexts implements Tree {
    /** Contexts in a full part. */
    private static final int PART = 1 << 12;
    /** Numbers of a context: two hash values, own bytecodes, samples, parent and method, first callee and next sibling. */
    private static final int WIDTH = 6;
    private static final int SECOND = 1;
    private static final int COUNT = 2;
    private static final int SAMPLES = 3;
    private static final int PLACE = 4;
    private static final int LINKS = 5;
    private static final int NONE = 0;

    /** The first part grows until it is full. */
    private long[][] parts = {new long[16 * WIDTH]};
    /** Contexts, the root included, which is context 0. */
    private int size = 1;
    /** Contexts by the first hash value; 0 is a free slot. A power of two long, at most half full. */
    private int[] slots = new int[32];

    /** The context with these hash values; 0 if there is none. */
    int find(long first, long second) {
        int[] all = slots;
        int mask = all.length - 1;
        for (int at = (int) first & mask; ; at = at + 1 & mask) {
            int context = all[at];
            if (context == NONE) {
                return NONE;
            }
            long[] part = parts[context / PART];
            int begin = context % PART * WIDTH;
            if (part[begin] == first && part[begin + SECOND] == second) {
                return context;
            }
        }
    }

    /** Adds a context that is not there. */
    int add(int parent, int id, long first, long second) {
        int context = size;
        makeRoom(context);
        long[] part = parts[context / PART];
        int begin = context % PART * WIDTH;
        long[] above = parts[parent / PART];
        int links = parent % PART * WIDTH + LINKS;
        int slot = (int) first & slots.length - 1;
        while (slots[slot] != NONE) {
            slot = slot + 1 & slots.length - 1;
        }
        long siblings = above[links];
        part[begin] = first;
        part[begin + SECOND] = second;
        part[begin + PLACE] = (long) parent << 32 | id;
        part[begin + LINKS] = siblings >>> 32;
        slots[slot] = context;
        size = context + 1;
        above[links] = (long) context << 32 | siblings & 0xFFFFFFFFL;
        return context;
    }

    /** Charges a sample to a context. */
    void charge(int context, long bytecodes) {
        long[] part = parts[context / PART];
        int begin = context % PART * WIDTH;
        part[begin + COUNT] += bytecodes;
        part[begin + SAMPLES]++;
    }

    private void makeRoom(int context) {
        if (2 * context >= slots.length) {
            slots = placed(2 * slots.length);
        }
        int part = context / PART;
        if (part == 0 && context * WIDTH == parts[0].length) {
            parts[0] = Arrays.copyOf(parts[0], 2 * parts[0].length);
        } else if (part == parts.length) {
            parts = Arrays.copyOf(parts, 2 * parts.length);
        }
        if (parts[part] == null) {
            parts[part] = new long[PART * WIDTH];
        }
    }

    private int[] placed(int length) {
        int[] longer = new int[length];
        for (int context = 1; context < size; context++) {
            int at = (int) parts[context / PART][context % PART * WIDTH] & length - 1;
            while (longer[at] != NONE) {
                at = at + 1 & length - 1;
            }
            longer[at] = context;
        }
        return longer;
    }

    private long field(int context, int field) {
        return parts[context / PART][context % PART * WIDTH + field];
    }

    @Override
    public void each(Visitor visitor) {
        int depth = 0;
        int context = (int) (field(0, LINKS) >>> 32);
        while (context != NONE) {
            visitor.visit(depth, (int) field(context, PLACE), field(context, COUNT), field(context, SAMPLES));
            int next = (int) (field(context, LINKS) >>> 32);
            if (next != NONE) {
                depth++;
            }
            while (next == NONE && context != 0) {
                next = (int) field(context, LINKS);
                if (next == NONE) {
                    context = (int) (field(context, PLACE) >>> 32);
                    depth--;
                }
            }
            context = next;
        }
    }
}
