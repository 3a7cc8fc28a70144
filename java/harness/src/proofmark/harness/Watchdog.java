package proofmark.harness;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import proofmark.graal.Json;

/**
 * Reports an iteration that does not end, with the place where it is. The workload's thread cannot:
 * it is busy. Proofmark ends this JVM when it reads the report.
 */
final class Watchdog extends Thread {
    private static final long LOOKS_PER_LIMIT = 10;
    private static final long STACK_MS = 2000;
    private static final long NONE = Long.MIN_VALUE;

    private final Channel channel;
    private final Thread workload = Thread.currentThread();
    private final long limitNs;
    /** When the running iteration began, {@link System#nanoTime}; NONE between iterations. */
    private volatile long begun = NONE;

    Watchdog(Channel channel, double limitSeconds) {
        super("proofmark-watchdog");
        this.channel = channel;
        limitNs = (long) (limitSeconds * 1e9);
        setDaemon(true);
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
                TimeUnit.NANOSECONDS.sleep(Math.clamp(limitNs / LOOKS_PER_LIMIT, 1_000_000L, 1_000_000_000L));
            }
            channel.reply(new Json().object()
                    .field("error", "an iteration is still running after " + limitNs / 1e9 + " s, the limit (--iteration-timeout); it is here:")
                    .field("kind", "workload").field("trace", where()).end());
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
