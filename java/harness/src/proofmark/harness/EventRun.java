package proofmark.harness;

import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

import proofmark.graal.events.CompilerCounters;
import proofmark.graal.events.CounterSpace;

/**
 * Writes what each iteration added to the counters to a file. They are read right before and right
 * after it, so that what runs between iterations is not in it.
 */
final class EventRun {
    private static final File TASKS = new File("/proc/self/task");
    private static final long WAIT_NS = 1_000_000L;
    private static final int MOST_WAITS = 100;

    private final StringBuilder out = new StringBuilder("proofmark-counters\t1\nsnapshot\t0\t0\t0\t0\n");
    private long[] before = new long[0];
    /** Sum over all iterations. */
    private long[] counted = new long[0];
    private int iterations;
    private Map<String, Long> compilerBefore = Map.of();
    /** Graal's own counters: sums over all iterations. */
    private final Map<String, Long> compiler = new TreeMap<>();
    /** Threads of the system in this JVM when none of the workload's was about to end. */
    private int threads = TASKS.list().length;

    /** Right before an iteration. */
    void begin() {
        awaitEnds();
        compilerBefore = CompilerCounters.read();
        before = CounterSpace.OF_JVM.read();
    }

    /** Right after it. */
    void end(Runner.Iteration iteration) {
        awaitEnds();
        long[] now = CounterSpace.OF_JVM.read();
        CompilerCounters.read().forEach((name, value) -> compiler.merge(name, value - compilerBefore.getOrDefault(name, 0L), Long::sum));
        long[] sums = new long[now.length];
        System.arraycopy(counted, 0, sums, 0, counted.length);
        out.append("snapshot\t").append(++iterations).append('\t').append(iteration.begin()).append('\t').append(iteration.end()).append('\t')
                .append(iteration.cpu()).append('\n');
        for (int i = 0; i < now.length; i++) {
            long added = now[i] - (i < before.length ? before[i] : 0);
            if (added != 0) {
                sums[i] += added;
                out.append(i).append('\t').append(sums[i]).append('\n');
            }
        }
        counted = sums;
    }

    /**
     * A thread that has ended stays a thread of the system for a moment in which the JVM may have its
     * counters twice. What was started to stay is waited for in vain, once.
     */
    private void awaitEnds() {
        int now = TASKS.list().length;
        for (int i = 0; i < MOST_WAITS && now > threads; i++) {
            LockSupport.parkNanos(WAIT_NS);
            now = TASKS.list().length;
        }
        threads = now;
    }

    void save(Path file) throws IOException {
        int used = CounterSpace.OF_JVM.used();
        out.append("used\t").append(used).append("\nbytes\t").append(8L * used).append("\npage\t").append(CounterSpace.pageBytes());
        out.append("\nthreads\t").append(Thread.getAllStackTraces().size()).append('\n');
        compiler.forEach((name, value) -> out.append("compiler\t").append(name).append('\t').append(value).append('\n'));
        out.append("end\n");
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            writer.append(out);
        }
    }
}
