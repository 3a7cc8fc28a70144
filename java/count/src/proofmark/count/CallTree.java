package proofmark.count;

import java.util.Arrays;

/** The standard agent: a calling-context tree. Of the next sample's stack only what differs from the last one's is looked at. */
final class CallTree implements Agent {
    final Contexts contexts = new Contexts();
    /** The last sample's stack, and two hash values of each of its prefixes. */
    private int[] last = new int[64];
    private long[] first = new long[64];
    private long[] second = new long[64];
    private int length;
    private long random;

    @Override
    public long register(Thread thread) {
        String name = thread == null ? "" : thread.getName();
        random = Settings.SEED * 0x9E3779B97F4A7C15L + name.hashCode();
        return next();
    }

    /** A call in here may overflow the stack: whatever is kept is right after each of them. */
    @Override
    public long processSample(int[] stack, int depth, long bytecodes) {
        if (last.length < depth) {
            lengthen(2 * depth);
        }
        differ(stack, depth);
        int context = depth == 0 ? 0 : contexts.find(first[depth - 1], second[depth - 1]);
        if (context == 0 && depth > 0) {
            context = added(depth);
        }
        long next = next();
        contexts.charge(context, bytecodes);
        return next;
    }

    /** The array that is asked for its length comes last. */
    private void lengthen(int size) {
        first = Arrays.copyOf(first, size);
        second = Arrays.copyOf(second, size);
        last = Arrays.copyOf(last, size);
    }

    /** Takes over the part of the stack that differs from the last one. */
    private void differ(int[] stack, int depth) {
        int at = 0;
        int both = depth < length ? depth : length;
        while (at < both && last[at] == stack[at]) {
            at++;
        }
        long a = at == 0 ? 0 : first[at - 1];
        long b = at == 0 ? 0 : second[at - 1];
        for (; at < depth; at++) {
            int id = stack[at];
            // Multiplication by odd numbers and shifted sums lose nothing (SplitMix64's and Murmur's constants).
            a = (a + id + 1) * 0x9E3779B97F4A7C15L;
            a ^= a >>> 29;
            b = (b ^ id) * 0xFF51AFD7ED558CCDL;
            b ^= b >>> 32;
            last[at] = id;
            first[at] = a;
            second[at] = b;
        }
        length = depth;
    }

    /** The context of a stack that was not seen before. */
    private int added(int depth) {
        int at = depth - 1;
        int context = 0;
        while (at > 0 && context == 0) {
            at--;
            context = contexts.find(first[at], second[at]);
        }
        for (at = context == 0 ? 0 : at + 1; at < depth; at++) {
            context = contexts.add(context, last[at], first[at], second[at]);
        }
        return context;
    }

    private long next() {
        if (Settings.RANDOM <= 1) {
            return Settings.GRANULARITY;
        }
        // SplitMix64: every thread has its own row of numbers, whatever the others do.
        random += 0x9E3779B97F4A7C15L;
        long z = random;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return Settings.GRANULARITY + ((z ^ (z >>> 31)) >>> 1) % Settings.RANDOM;
    }
}
