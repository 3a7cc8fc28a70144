package proofmark.harness;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/**
 * Reports an iteration that does not end, with the place where it is. The workload's thread cannot:
 * it is busy. Proofmark ends this JVM when it reads the report.
 */
final class Watchdog extends Thread {
    private static final long LOOKS_PER_LIMIT = 10;
    private static final long STACK_MS = 2000;
    /** Threads that wait for a lock and are named. */
    private static final int MOST_BLOCKED = 4;
    private static final long NONE = Long.MIN_VALUE;

    private final Report report;
    private final Thread workload = Thread.currentThread();
    private final long limitNs;
    /** What is to be said of an iteration that does not end. */
    private String advice;
    /** When the running iteration began, {@link System#nanoTime}; NONE between iterations. */
    private volatile long begun = NONE;

    /** Who is told. */
    interface Report {
        /** What is the matter, and the stack of the workload. */
        void late(String message, String stack) throws IOException;
    }

    Watchdog(Report report, double limitSeconds) {
        super("proofmark-watchdog");
        this.report = report;
        limitNs = (long) (limitSeconds * 1e9);
        setDaemon(true);
    }

    /** Begins to watch; {@code mustEnd} is said of an iteration that does not end. */
    void start(String mustEnd) {
        advice = mustEnd;
        start();
    }

    /** An iteration begins. */
    void begin(long now) {
        begun = now;
    }

    /** It has ended. */
    void end() {
        begun = NONE;
    }

    @Override
    public void run() {
        try {
            while (!late()) {
                TimeUnit.NANOSECONDS.sleep(Math.max(1_000_000L, Math.min(limitNs / LOOKS_PER_LIMIT, 1_000_000_000L)));
            }
            StringBuffer blocked = new StringBuffer();
            String stack = where(blocked);
            String late = "an iteration is still running after " + limitNs / 1e9 + " s, the limit (--iteration-timeout): ";
            report.late(late + advice + blocked + "; it is here:", stack);
        } catch (InterruptedException | IOException e) {
            // Nobody is left to be told.
        }
    }

    /** {@code "; thread A is blocked on java.lang.Object@1b, held by B"} of each that waits for a lock: they may wait for each other. */
    private static String blocked() {
        StringBuilder text = new StringBuilder();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        int named = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread == null || thread.getThreadState() != Thread.State.BLOCKED || ++named > MOST_BLOCKED) {
                continue;
            }
            text.append("; thread ").append(thread.getThreadName()).append(" is blocked on ").append(thread.getLockName());
            if (thread.getLockOwnerName() != null) {
                text.append(", held by ").append(thread.getLockOwnerName());
            }
        }
        return text.toString();
    }

    private boolean late() {
        long since = begun;
        return since != NONE && System.nanoTime() - since > limitNs;
    }

    /** The workload's stack, and what is blocked; asked by another thread, because a loop without safepoints never answers. */
    private String where(StringBuffer blocked) throws InterruptedException {
        StringBuffer text = new StringBuffer();
        Thread asking = new Thread(() -> {
            for (StackTraceElement frame : workload.getStackTrace()) {
                text.append("\tat ").append(frame).append('\n');
            }
            blocked.append(blocked());
        }, "proofmark-where");
        asking.setDaemon(true);
        asking.start();
        asking.join(STACK_MS);
        return text.isEmpty() ? "\tin a loop that never reaches a safepoint\n" : text.toString();
    }
}
