package proofmark.harness;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Reports an iteration that does not end, with the place where it is. The workload's thread cannot:
 * it is busy. Proofmark ends this JVM when it reads the report.
 */
final class Watchdog extends Thread {
    private static final long LOOKS_PER_LIMIT = 10;
    private static final long STACK_MS = 2000;
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
            String message = "an iteration is still running after " + limitNs / 1e9 + " s, the limit (--iteration-timeout): " + advice + "; it is here:";
            report.late(message, where());
        } catch (InterruptedException | IOException e) {
            // Nobody is left to be told.
        }
    }

    private boolean late() {
        long since = begun;
        return since != NONE && System.nanoTime() - since > limitNs;
    }

    /** The workload's stack; asked by another thread, because a loop without safepoints never answers. */
    private String where() throws InterruptedException {
        StringBuffer text = new StringBuffer();
        Thread asking = new Thread(() -> {
            for (StackTraceElement frame : workload.getStackTrace()) {
                text.append("\tat ").append(frame).append('\n');
            }
        }, "proofmark-where");
        asking.setDaemon(true);
        asking.start();
        asking.join(STACK_MS);
        return text.isEmpty() ? "\tin a loop that never reaches a safepoint\n" : text.toString();
    }
}
