package proofmark.harness;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import proofmark.graal.Json;

/** Obeys requests until told to stop. Every request gets one reply; a failed one says why. */
final class DoseSession {
    /** Least iterations of each part of an exercise. */
    private static final int LEAST_EXERCISE = 4;
    /** Requests that run iterations. */
    private static final Set<String> RUNS = Set.of("dose-exercise", "dose-gates", "dose-warmup", "dose-window", "dose-count");

    private final Line line;
    private final Runner runner;
    private final Sites sites = new Sites();
    private final Gates gates = new Gates();
    private final Threads threads = new Threads();
    private Profiler profiler;

    DoseSession(Line line, Runner runner) {
        this.line = line;
        this.runner = runner;
    }

    void serve() throws IOException {
        for (Map.Entry<String, Map<String, Object>> next = line.next(); next != null && !next.getKey().equals("stop"); next = line.next()) {
            try {
                Json reply = new Json().object().name("answer").object();
                stretch(next.getKey(), next.getValue(), reply);
                line.send(reply.end().end());
            } catch (Runner.WorkloadFailure e) {
                line.fail("workload", e.getMessage(), trace(e));
            } catch (Exception | Error e) {
                line.fail("harness", e.toString(), trace(e));
            }
        }
    }

    /** Iterations of one request are a stretch: what a benchmark does before and after it is neither timed nor profiled. */
    private void stretch(String name, Map<String, Object> request, Json reply) throws Exception {
        boolean runs = RUNS.contains(name);
        if (runs) {
            runner.begin();
        }
        obey(name, request, reply);
        if (runs) {
            runner.end();
        }
    }

    private void obey(String name, Map<String, Object> request, Json reply) throws Exception {
        switch (name) {
            case "dose-hello" -> hello(reply, number(request, "iteration_limit_s"));
            case "dose-exercise" -> exercise(number(request, "seconds"), (int) number(request, "most"));
            case "dose-warmup" -> warmUp(reply, number(request, "least_s"), number(request, "most_s"));
            case "dose-gates" -> gates(request);
            case "dose-window" -> window(reply, request);
            case "dose-count" -> count(reply, (int) number(request, "iterations"));
            case "dose-turns" -> turns(reply, request);
            case "profiler-start" -> profiler = started(object(request, "profiler"));
            case "profiler-dump" -> profiler.dump(Path.of(text(request, "file")));
            case "profiler-stop" -> profiler.stop(Path.of(text(request, "file")));
            default -> throw new IllegalArgumentException("unknown request " + name);
        }
    }

    private void hello(Json reply, double iterationLimit) throws IOException {
        runner.watch(new Watchdog((message, stack) -> line.fail("workload", message, stack), iterationLimit));
        // The kernel's name of this thread: PID/task/TID.
        Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
        reply.field("pid", ProcessHandle.current().pid()).field("tid", Long.parseLong(self.getFileName().toString()))
                .field("thread", Thread.currentThread().getName()).field("java_version", System.getProperty("java.runtime.version"))
                .field("vendor", System.getProperty("java.vendor")).field("heap_bytes", Runtime.getRuntime().maxMemory());
    }

    /**
     * Every site makes random numbers of turns up to {@code most}: for a moment now and then, and in a few iterations at
     * the end, where those come by that are seldom reached.
     */
    private void exercise(double seconds, int most) throws Exception {
        Pulses pulses = new Pulses(sites, most);
        pulses.start();
        try {
            runner.run(seconds, LEAST_EXERCISE);
        } finally {
            pulses.end();
        }
        for (int i = 0; i < LEAST_EXERCISE; i++) {
            sites.randomise(most);
            runner.iteration();
        }
        sites.rest();
    }

    private void warmUp(Json reply, double least, double most) throws Runner.WorkloadFailure {
        threads.begin();
        Runner.WarmUp warmUp = runner.warmUp(least, most, null);
        reply.field("steady", warmUp.steady()).field("reason", warmUp.reason()).field("together", runner.together());
        write(reply, warmUp.iterations());
        reply.field("threads_started", threads.started());
        reply.array("other_threads");
        for (Threads.OtherThread other : threads.others()) {
            reply.object().field("name", other.name()).field("cpu_ns", other.cpuNs()).end();
        }
        reply.end();
    }

    /** Opens the gates of these sites and closes all others; then their loops run for so long, and the compilers come to rest. */
    private void gates(Map<String, Object> request) throws Exception {
        BitSet open = new BitSet();
        for (Object site : (List<?>) request.get("open")) {
            open.set(((Number) site).intValue());
        }
        gates.set(open);
        double seconds = number(request, "exercise_s");
        if (!open.isEmpty() && seconds > 0) {
            exercise(seconds, (int) number(request, "most_turns"));
        }
        runner.warmUp(number(request, "least_s"), number(request, "most_s"), runner.together());
    }

    /**
     * Runs so long with one site making so many turns, all others at rest; the profiler watches if there is a label. The
     * first iterations are discarded: neither reported nor watched. If a reading of the clock is wanted, it is taken between
     * these and the others, and behind the others, where the profiler watches too.
     */
    private void window(Json reply, Map<String, Object> request) throws Exception {
        String label = text(request, "label");
        List<Long> passes = new ArrayList<>();
        try {
            dose(request);
            runner.run(0, (int) number(request, "discard"));
            if (!label.isEmpty()) {
                profiler.begin(label);
            }
            read(request, passes);
            dose(request);
            AllThreads.mark();
            long begin = System.nanoTime();
            List<Runner.Iteration> iterations = runner.run(number(request, "seconds"), (int) number(request, "least"));
            long end = System.nanoTime();
            int busy = AllThreads.busy();
            long busiest = AllThreads.busiest();
            read(request, passes);
            if (!label.isEmpty()) {
                profiler.end();
            }
            reply.field("begin_ns", begin).field("end_ns", end).field("together", runner.together());
            reply.field("busy_threads", busy).field("busiest_ns", busiest).array("passes_ns");
            for (long time : passes) {
                reply.value(time);
            }
            reply.end();
            write(reply, iterations);
        } finally {
            sites.rest();
        }
    }

    /** The site of a window makes its turns, all others none. */
    private void dose(Map<String, Object> request) {
        if (request.get("site") != null) {
            sites.set((int) number(request, "site"), (int) number(request, "turns"));
        } else {
            sites.rest();
        }
    }

    /** Times the loops of a window's reading of the clock, if one is wanted. */
    private void read(Map<String, Object> request, List<Long> times) {
        if (request.get("clock") == null) {
            return;
        }
        Map<String, Object> clock = object(request, "clock");
        int site = (int) number(clock, "site");
        for (Object loop : (List<?>) clock.get("loops")) {
            List<?> turnsAndPasses = (List<?>) loop;
            sites.set(site, ((Number) turnsAndPasses.get(0)).intValue());
            times.add(passed(((Number) turnsAndPasses.get(1)).intValue()));
        }
    }

    /** How often each site that counts is reached, by iteration of the workload. */
    private void count(Json reply, int iterations) throws Exception {
        reply.array("counts");
        for (int i = 0; i < iterations; i++) {
            sites.rest();
            runner.timed();
            reply.array();
            for (int count : sites.values()) {
                reply.value(Integer.toUnsignedLong(count));
            }
            reply.end();
            runner.compare();
        }
        reply.end();
    }

    /** How long passes of a loop take whose site makes so many turns. */
    private void turns(Json reply, Map<String, Object> request) {
        sites.set((int) number(request, "site"), (int) number(request, "turns"));
        try {
            reply.field("cpu_ns", passed((int) number(request, "passes")));
        } finally {
            sites.rest();
        }
    }

    /** CPU time of so many passes of the clock's loop, ns. */
    private long passed(int passes) {
        long cpu = runner.cpuTime();
        Turns.pass(passes);
        return runner.cpuTime() - cpu;
    }

    private static Profiler started(Map<String, Object> wanted) throws Exception {
        String kind = wanted.keySet().iterator().next();
        Map<String, Object> options = object(wanted, kind);
        switch (kind) {
            case "jfr":
                List<String[]> settings = new ArrayList<>();
                for (Object one : (List<?>) options.get("settings")) {
                    Map<?, ?> setting = (Map<?, ?>) one;
                    settings.add(new String[] {(String) setting.get("event"), (String) setting.get("name"), (String) setting.get("value")});
                }
                return new FlightRecorder(settings);
            case "async":
                return new AsyncProfiler(text(options, "jar"), text(options, "library"), text(options, "start"), text(options, "directory"), true);
            case "safepoint":
                return new SafepointSampler((long) number(options, "interval_ns"), text(options, "directory"), true);
            default:
                throw new IllegalArgumentException("unknown profiler " + kind);
        }
    }

    private static double number(Map<String, Object> fields, String name) {
        return ((Number) fields.get(name)).doubleValue();
    }

    private static String text(Map<String, Object> fields, String name) {
        return (String) fields.get(name);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Map<String, Object> fields, String name) {
        return (Map<String, Object>) fields.get(name);
    }

    private static void write(Json reply, List<Runner.Iteration> iterations) {
        reply.array("iterations");
        for (Runner.Iteration i : iterations) {
            reply.array().value(i.begin()).value(i.end()).value(i.cpu()).end();
        }
        reply.end();
    }

    private static String trace(Throwable e) {
        if (e instanceof Runner.WorkloadFailure && e.getCause() == null) {
            return "";
        }
        StringWriter text = new StringWriter();
        (e instanceof Runner.WorkloadFailure ? e.getCause() : e).printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
