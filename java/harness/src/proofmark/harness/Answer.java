package proofmark.harness;

import java.util.List;

import proofmark.graal.EventCode;
import proofmark.graal.UnitCounts;
import proofmark.graal.events.Catalogue;

/**
 * What the harness answers, one kind for each kind of {@link Request}. Iterations are triples of begin and end in ns of
 * CLOCK_MONOTONIC and CPU time of the thread in ns.
 */
sealed interface Answer {
    /** Who this is. */
    record Hello(long pid, long tid, String thread, String javaVersion, String vendor, long heapBytes) implements Answer {
    }

    /** How the warm-up ended; {@code together} iterations of the workload are measured as one. */
    record Warmup(boolean steady, String reason, int together, List<long[]> iterations, long threadsStarted,
            List<Threads.OtherThread> otherThreads) implements Answer {
    }

    /** Pairs of a unit newly under control and its baseline code; methods that could not be taken. */
    record Control(List<int[]> controlled, List<String> failures) implements Answer {
    }

    /** Names of methods. */
    record SlowTiers(List<String> methods) implements Answer {
    }

    /** Ids of codes, in the order of the units. */
    record Compile(List<Integer> compiled) implements Answer {
    }

    /** Iterations of each group; units whose code is no longer the one that was installed; units given up. */
    record Window(List<Group> groups, long beginNs, long endNs, List<String> invalid, List<String> failures) implements Answer {
    }

    /** Iterations under one installation. */
    record Group(long installedNs, List<long[]> iterations) {
    }

    /** Executions of blocks over the iterations; units under control with their baseline code. */
    record Count(List<UnitCounts> counts, List<long[]> iterations, List<String> invalid, List<int[]> controlled, List<String> failures)
            implements Answer {
    }

    /** The catalogue of events. */
    record EventsTypes(List<Catalogue.Row> types) implements Answer {
    }

    /** Codes that count. */
    record EventsCompile(List<EventCode> compiled, List<String> failures) implements Answer {
    }

    /** The counted iterations. */
    record EventsRun(List<long[]> iterations, List<String> invalid, List<String> failures) implements Answer {
    }

    /** There is nothing else to say. */
    record Done() implements Answer {
    }

    /** Why there is no answer, with a stack trace. */
    record Failure(Kind kind, String message, String trace) implements Answer {
    }

    /** Whose fault a failure is. */
    enum Kind {
        /** The workload threw, computed something wrong or is not repeatable. */
        WORKLOAD,
        /** There is no such workload. */
        LOAD,
        /** Anything else. */
        HARNESS
    }
}
