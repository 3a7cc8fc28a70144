package proofmark.graal.events;

import jdk.vm.ci.hotspot.HotSpotJVMCIRuntime;

import proofmark.graal.LowMemory;

/**
 * Numbers of counters. Every number stands for a place in memory below 2 GB, and for a place in the
 * page of counters that HotSpot gives every Java thread ({@code -XX:JVMCICounterSize}); code uses one
 * of them, the other stays 0. Numbers are not given out twice.
 *
 * <p>Accuracy: plain increments of the shared place lose counts when several threads run the same
 * code at the same time on several processors; per-thread places lose nothing. Places of compiler
 * threads are not read (HotSpot's flag JVMCICountersExcludeCompiler), so that code which the compiler,
 * itself Java, shares with the program counts for the program only.
 */
public final class CounterSpace {
    /** Of this JVM. */
    public static final CounterSpace OF_JVM = new CounterSpace();
    private static final int MOST = 1 << 22;
    private static final int LONG = 8;

    /** Reserved, not committed: only what is counted in costs memory. */
    private LowMemory shared;
    private int used = CompilerCounters.reserved(pageSize());
    /** Constants that code reads lie at the other end. */
    private int constants = MOST;

    private CounterSpace() {
    }

    private synchronized LowMemory shared() {
        if (shared == null) {
            shared = new LowMemory((long) MOST * LONG);
        }
        return shared;
    }

    /** Gives out so many numbers in a row; returns the first. */
    synchronized int take(int count, boolean threads) {
        int limit = threads ? Math.min(pageSize(), constants) : constants;
        if (used + count > limit) {
            throw new IllegalStateException("no counters left: " + used + " of " + limit + " are in use; compile fewer units or variants"
                    + (threads ? ", or start the JVM with larger pages (-XX:JVMCICounterSize)" : ""));
        }
        int first = used;
        used += count;
        return first;
    }

    /** Whether pages have room for the counters of any unit but an enormous one. */
    synchronized boolean hasPages() {
        return used < (pageSize() + CompilerCounters.reserved(pageSize())) / 2;
    }

    private static int pageSize() {
        return HotSpotJVMCIRuntime.runtime().getCountersSize();
    }

    /** Address below 2 GB of the shared place. */
    int address(int counter) {
        return (int) (shared().address() + (long) counter * LONG);
    }

    /** Offset in every thread's page. */
    static int offset(int counter) {
        return counter * LONG;
    }

    /** Puts constants where code can read them; returns the place of the first. */
    synchronized int keep(long[] values) {
        if (used + values.length > constants) {
            throw new IllegalStateException("no room for " + values.length + " constants beside " + used + " counters");
        }
        constants -= values.length;
        for (int i = 0; i < values.length; i++) {
            shared().set(constants + i, values[i]);
        }
        return constants;
    }

    public synchronized int used() {
        return used;
    }

    /** Values of all counters, summed over threads that live and that have ended. */
    public long[] read() {
        long[] values = new long[used()];
        for (int i = 0; i < values.length; i++) {
            values[i] = shared().get(i);
        }
        int pages = Math.min(pageSize(), values.length);
        if (pages > 0) {
            long[] threads = HotSpotJVMCIRuntime.runtime().collectCounters();
            for (int i = 0; i < pages; i++) {
                values[i] += threads[i];
            }
        }
        return values;
    }

    /** Bytes of one thread's page; 0 without pages. */
    public static long pageBytes() {
        return (long) pageSize() * LONG;
    }
}
