package proofmark.harness;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** Runs iterations, times them and checks their results. */
final class Runner {
    private static final long SECOND_NS = 1_000_000_000L;
    /** Halves of the last stretch must agree so well (relative difference of medians). */
    private static final double STEADY = 0.05;

    /** Shorter iterations of the workload are measured several at a time, so that clocks and answers stay small beside them. */
    private static final long SHORT_NS = 1_000_000L;
    /** No more are measured together once they take so long by the clock. */
    private static final long LONG_NS = 50_000_000;
    /** Most that are measured together. */
    private static final int MOST_TOGETHER = 1 << 20;

    private final Workload workload;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    /** CPU time in ns: of this thread, or of all that the workload starts too. */
    private final LongSupplier clock;
    /** Compilers rest while they work for no more than this part of the time. */
    private final double trickle;
    /** What to do where the heap is too small. */
    private final String moreHeap;
    /** Null in a JVM that only interprets. */
    private final CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    private String reference;
    private long done;
    /** Iterations of the workload in one measured iteration; only the warm-up changes it. */
    private int together = 1;
    private Watchdog watchdog;
    private final SplittableRandom random = new SplittableRandom(1);

    /** Times in ns of CLOCK_MONOTONIC; {@code cpu} is CPU time by the runner's clock. */
    record Iteration(long begin, long end, long cpu) {
    }

    /** How a warm-up ended. */
    record WarmUp(List<Iteration> iterations, boolean steady, String reason) {
    }

    /** Its clock is the CPU time of the calling thread; compilers rest when they do nothing at all. */
    Runner(Workload workload) {
        this.workload = workload;
        this.clock = this::cpuTime;
        this.trickle = 0;
        this.moreHeap = "--heap sets it, not -Xmx";
    }

    /**
     * {@code clock} says CPU time in ns; compilers rest while they work for no more than that part of the time. The JVM is that of the
     * user's own command.
     */
    Runner(Workload workload, LongSupplier clock, double trickle) {
        this.workload = workload;
        this.clock = clock;
        this.trickle = trickle;
        this.moreHeap = "a larger -Xmx in the program's command gives it more";
    }

    /** From now on iterations that do not end are reported. */
    void watch(Watchdog given) {
        watchdog = given;
        watchdog.start(workload.mustEnd());
    }

    /** CPU time of the calling thread, ns. */
    long cpuTime() {
        return threads.getCurrentThreadCpuTime();
    }

    /** Iterations of the workload that are measured as one. */
    int together() {
        return together;
    }

    /** One iteration, which is then compared with the first one. */
    Iteration iteration() throws WorkloadFailure {
        Iteration iteration = timed();
        compare();
        return iteration;
    }

    /** One iteration. */
    Iteration timed() throws WorkloadFailure {
        long cpu = clock.getAsLong();
        long begin = System.nanoTime();
        watchdog.begin(begin);
        try {
            StackShift.run(random.nextInt(StackShift.STEPS), this::repeat);
        } catch (WorkloadFailure e) {
            throw e;
        } catch (Workload.WrongResult e) {
            throw new WorkloadFailure("iteration " + (done + 1) + ": " + e.getMessage(), null);
        } catch (OutOfMemoryError e) {
            throw new WorkloadFailure("iteration " + (done + 1) + " failed: " + e + " (the heap has "
                    + (Runtime.getRuntime().maxMemory() >> 20) + " MB; " + moreHeap + ")", e);
        } catch (Throwable e) {
            throw new WorkloadFailure("iteration " + (done + 1) + " failed: " + e, e);
        } finally {
            watchdog.end();
            Thread.interrupted();
        }
        long end = System.nanoTime();
        return new Iteration(begin, end, clock.getAsLong() - cpu);
    }

    /** Whether the iterations until now did the same, where their results do not say it; not in the time of any. */
    void compare() throws WorkloadFailure {
        String unlike = workload.unlike();
        if (unlike != null) {
            throw notRepeatable(unlike);
        }
    }

    private static WorkloadFailure notRepeatable(String unlike) {
        return new WorkloadFailure("the workload is not repeatable: " + unlike, null);
    }

    /** Before the iterations of a request. */
    void begin() throws WorkloadFailure {
        outside(workload::begin, "before");
    }

    /** After them. */
    void end() throws WorkloadFailure {
        outside(workload::end, "after");
    }

    private static void outside(StackShift.Body body, String when) throws WorkloadFailure {
        try {
            body.run();
        } catch (Throwable e) {
            throw new WorkloadFailure(when + " its iterations: " + e, e);
        } finally {
            Thread.interrupted();
        }
    }

    private void repeat() throws Throwable {
        if (workload.repeat(together)) {
            Thread.interrupted();
            done += together;
            return;
        }
        for (int i = 0; i < together; i++) {
            String result = workload.iterate();
            // An interrupt that the workload left pending would close the line to Proofmark.
            Thread.interrupted();
            check(result);
        }
    }

    /** Every result must be the first one's. */
    private void check(String result) throws WorkloadFailure {
        if (done == 0) {
            reference = result;
        } else if (!Objects.equals(result, reference)) {
            throw notRepeatable("iteration " + (done + 1) + " " + workload.unlike(result, reference));
        }
        done++;
    }

    /** At least {@code least} iterations and at least so many seconds. */
    List<Iteration> run(double seconds, int least) throws WorkloadFailure {
        List<Iteration> iterations = new ArrayList<>();
        long until = System.nanoTime() + (long) (seconds * SECOND_NS);
        while (iterations.size() < least || System.nanoTime() < until) {
            iterations.add(iteration());
        }
        return iterations;
    }

    /**
     * Runs until neither the compilers nor the iteration times move any more. {@code given}: how many iterations of the workload are
     * measured as one, so that JVMs can be compared; null: as many as their length asks for.
     */
    WarmUp warmUp(double leastSeconds, double mostSeconds, Integer given) throws WorkloadFailure {
        if (given != null) {
            together = given;
        }
        List<Iteration> iterations = new ArrayList<>();
        long begin = System.nanoTime();
        Rest rest = new Rest(begin, compilationTime(), trickle);
        while (true) {
            Iteration last = iteration();
            iterations.add(last);
            // A workload that waits for others takes time, but none of these threads'.
            boolean quick = last.cpu < SHORT_NS / 2 && last.end - last.begin < LONG_NS;
            if (given == null && quick && together < MOST_TOGETHER) {
                together *= 2;
            }
            long now = System.nanoTime();
            boolean quiet = rest.at(now, compilationTime());
            boolean enough = now - begin > leastSeconds * SECOND_NS && iterations.size() >= 6;
            if (enough && quiet && steady(iterations, rest.since())) {
                return new WarmUp(iterations, true, "compilers quiet for " + (now - rest.since()) / 1_000_000 + " ms" + batches());
            }
            if (now - begin > mostSeconds * SECOND_NS) {
                return new WarmUp(iterations, false, (quiet ? "iteration times still move" : "the JVM still compiles") + batches());
            }
        }
    }

    /** In ms, of compilations that have ended. */
    private long compilationTime() {
        return compilers == null ? 0 : compilers.getTotalCompilationTime();
    }

    private String batches() {
        return (together == 1 ? "" : "; its iterations are short, " + together + " are measured as one") + workload.remark();
    }

    /** Compares the medians of the two halves of what ran since the compilers fell quiet. */
    private static boolean steady(List<Iteration> iterations, long since) {
        long[] cpu = iterations.stream().filter(i -> i.begin >= since).mapToLong(Iteration::cpu).toArray();
        if (cpu.length < 4) {
            return false;
        }
        double first = median(Arrays.copyOfRange(cpu, 0, cpu.length / 2));
        double second = median(Arrays.copyOfRange(cpu, cpu.length / 2, cpu.length));
        return Math.abs(first - second) <= STEADY * Math.max(first, second);
    }

    private static double median(long[] values) {
        Arrays.sort(values);
        int middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
    }

    /** The workload threw, computed something wrong or is not repeatable. */
    static final class WorkloadFailure extends Exception {
        private static final long serialVersionUID = 1L;

        WorkloadFailure(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
