package proofmark.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The control that must look bad: asks the JVM for the workload thread's stack at fixed intervals.
 * The answer can only come from the next safepoint poll, wherever the time went. Every window leaves
 * {@code LABEL.collapsed} in the directory.
 */
final class SafepointSampler implements Profiler {
    private final long intervalNs;
    private final Path directory;
    private final Thread workload = Thread.currentThread();
    private String label;
    private Sampling sampling;

    SafepointSampler(long intervalNs, String directory) {
        this.intervalNs = intervalNs;
        this.directory = Path.of(directory);
    }

    /** One window's samples. */
    private final class Sampling extends Thread {
        private final Map<String, Long> stacks = new TreeMap<>();
        private volatile boolean ending;

        Sampling() {
            super("proofmark-safepoint-sampler");
            setDaemon(true);
        }

        @Override
        public void run() {
            while (!ending) {
                LockSupport.parkNanos(intervalNs);
                stacks.merge(collapsed(workload.getStackTrace()), 1L, Long::sum);
            }
        }

        private String collapsed(StackTraceElement[] stack) {
            StringBuilder line = new StringBuilder("[").append(workload.getName()).append(']');
            for (int i = stack.length - 1; i >= 0; i--) {
                line.append(';').append(stack[i].getClassName().replace('.', '/')).append('.').append(stack[i].getMethodName());
            }
            return line.toString();
        }
    }

    @Override
    public void begin(String windowLabel) {
        label = windowLabel;
        sampling = new Sampling();
        sampling.start();
    }

    @Override
    public void end() throws IOException, InterruptedException {
        sampling.ending = true;
        sampling.join();
        StringBuilder text = new StringBuilder();
        sampling.stacks.forEach((stack, count) -> text.append(stack).append(' ').append(count).append('\n'));
        Files.writeString(directory.resolve(label + ".collapsed"), text);
    }

    @Override
    public void stop(Path file) {
        // Every window has been written already.
    }
}
