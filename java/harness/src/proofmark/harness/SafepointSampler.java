package proofmark.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The control that must look bad: asks the JVM at fixed intervals for the stack of the workload's thread, or of every
 * thread of the program that is ready to run. The answer can only come from the next safepoint poll, wherever the time
 * went. Every window leaves {@code LABEL.collapsed} in the directory.
 */
final class SafepointSampler implements Profiler {
    private final long intervalNs;
    private final Path directory;
    private final boolean all;
    private final Thread workload = Thread.currentThread();
    private String label;
    private Sampling sampling;

    /** {@code all}: not only the thread that calls, which is the workload's. */
    SafepointSampler(long intervalNs, String directory, boolean all) {
        this.intervalNs = intervalNs;
        this.directory = Path.of(directory);
        this.all = all;
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
                if (all) {
                    Thread.getAllStackTraces().forEach(this::addIfReady);
                } else {
                    add(workload, workload.getStackTrace());
                }
            }
        }

        private void addIfReady(Thread thread, StackTraceElement[] stack) {
            if (isProgram(thread) && thread.getState() == State.RUNNABLE && stack.length > 0) {
                add(thread, stack);
            }
        }

        /** The JVM's own threads are in the topmost group. */
        private static boolean isProgram(Thread thread) {
            ThreadGroup group = thread.getThreadGroup();
            return group != null && group.getParent() != null && !thread.getName().startsWith("proofmark-");
        }

        private void add(Thread thread, StackTraceElement[] stack) {
            stacks.merge(collapsed(thread, stack), 1L, Long::sum);
        }

        private String collapsed(Thread thread, StackTraceElement[] stack) {
            StringBuilder line = new StringBuilder("[").append(thread.getName().replaceAll("[;\\s]", "_")).append(']');
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
