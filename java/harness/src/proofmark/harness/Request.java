package proofmark.harness;

import java.util.List;

import proofmark.graal.Filler;
import proofmark.graal.Insertion;

/** What Proofmark can ask for. Files are given by their paths, times in seconds. */
sealed interface Request {
    /** Comes first. Without {@code laboratory} this JVM need not compile with Graal. */
    record Hello(boolean laboratory, double iterationLimitS) implements Request {
    }

    /**
     * Runs until compilers and iteration times rest. So many iterations of the workload are measured together, or null for as many as
     * their length asks for.
     */
    record Warmup(double leastS, double mostS, Integer together) implements Request {
    }

    /** Takes methods under control, with profiles from (and to) a directory, or null for profiles of this JVM only. */
    record Control(List<String> methods, String profiles) implements Request {
    }

    /** Asks which methods of the workload run outside of Graal's normal code. */
    record SlowTiers() implements Request {
    }

    /** Compiles units with insertions. */
    record Compile(List<Unit> units) implements Request {
    }

    /** What goes into a unit; {@code counts} are pairs of a block and its number of slowdown instructions. */
    record Unit(int unit, Filler filler, Insertion.Point point, boolean markers, int shift, List<int[]> counts) {
    }

    /** Lets codes go. */
    record Forget(List<Integer> codes) implements Request {
    }

    /**
     * Installs each group of codes in turn and runs so long under it; the first iterations after an installation are
     * discarded.
     */
    record Window(String label, double seconds, int least, int discard, List<List<Integer>> groups) implements Request {
    }

    /** Counts the executions of blocks. */
    record Count(int iterations) implements Request {
    }

    /** Asks for the catalogue of events. */
    record EventsTypes() implements Request {
    }

    /** Compiles units so that they count events. */
    record EventsCompile(EventPlan plan, List<Integer> units, String table) implements Request {
    }

    /** What code is to count; no types mean all. */
    record EventPlan(String strategy, List<String> types, boolean perThread, boolean check, boolean markers) {
    }

    /** Installs codes, runs, and writes the counters to a file. */
    record EventsRun(int iterations, int discard, List<Integer> codes, String counters, String table) implements Request {
    }

    /** Starts a profiler. */
    record ProfilerStart(Profiler profiler) implements Request {
    }

    /** Stops it; what it holds goes to a file. */
    record ProfilerStop(String file) implements Request {
    }

    /** Ends this JVM. It has no answer. */
    record Stop() implements Request {
    }

    /** A profiler that runs inside of this JVM. */
    sealed interface Profiler {
        /** async-profiler: its jar, its library, the words of its {@code start} command and the directory for its files. */
        record Async(String jar, String library, String start, String directory) implements Profiler {
        }

        /** JFR with settings of events. */
        record Jfr(List<Setting> settings) implements Profiler {
        }

        /** The control that must look bad: its interval and the directory for its files. */
        record Safepoint(long intervalNs, String directory) implements Profiler {
        }
    }

    /** Setting of a JFR event. */
    record Setting(String event, String name, String value) {
    }
}
