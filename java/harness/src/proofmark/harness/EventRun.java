package proofmark.harness;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import proofmark.graal.events.CounterSpace;

/** Writes the counters after each iteration to a file: those that have changed since the one before. */
final class EventRun {
    private final StringBuilder out = new StringBuilder("proofmark-counters\t1\n");
    private long[] before = new long[0];
    private int snapshots;

    /** Times in ns as in {@link Runner.Iteration}; all 0 for the snapshot before the first iteration. */
    void snapshot(long begin, long end, long cpu) {
        long[] now = CounterSpace.OF_JVM.read();
        out.append("snapshot\t").append(snapshots++).append('\t').append(begin).append('\t').append(end).append('\t').append(cpu).append('\n');
        for (int i = 0; i < now.length; i++) {
            if (now[i] != (i < before.length ? before[i] : 0)) {
                out.append(i).append('\t').append(now[i]).append('\n');
            }
        }
        before = now;
    }

    void save(Path file) throws IOException {
        int used = CounterSpace.OF_JVM.used();
        out.append("used\t").append(used).append("\nbytes\t").append(8L * used).append("\npage\t").append(CounterSpace.pageBytes());
        out.append("\nthreads\t").append(Thread.getAllStackTraces().size()).append("\nend\n");
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            writer.append(out);
        }
    }
}
