package proofmark.harness;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import proofmark.graal.EventCode;
import proofmark.graal.Insertion;
import proofmark.graal.Laboratory;
import proofmark.graal.events.Catalogue;
import proofmark.graal.events.Plan;

/** Obeys requests until told to stop. Every request gets one answer; a failed one says why. */
final class Session {
    private final Channel channel;
    private final Runner runner;
    private final Profilers profilers = new Profilers();
    private final Threads threads = new Threads();
    /** Null in a JVM that is not commanded. */
    private Laboratory laboratory;

    Session(Channel channel, Runner runner) {
        this.channel = channel;
        this.runner = runner;
    }

    void serve() throws IOException {
        for (String line = channel.next(); line != null; line = channel.next()) {
            try {
                Request request = Messages.read(line, Request.class);
                if (request instanceof Request.Stop) {
                    return;
                }
                channel.answer(stretch(request), laboratory);
            } catch (Runner.WorkloadFailure e) {
                channel.fail(new Answer.Failure(Answer.Kind.WORKLOAD, e.getMessage(), trace(e)));
            } catch (Exception | Error e) {
                channel.fail(new Answer.Failure(Answer.Kind.HARNESS, e.toString(), trace(e)));
            }
        }
    }

    /** Iterations of one request are a stretch: what a benchmark does before and after it is neither timed nor profiled. */
    private Answer stretch(Request request) throws Exception {
        boolean runs = request instanceof Request.Warmup || request instanceof Request.Window || request instanceof Request.Count
                || request instanceof Request.EventsRun;
        if (runs) {
            runner.begin();
        }
        Answer answer = obey(request);
        if (runs) {
            runner.end();
        }
        return answer;
    }

    private Answer obey(Request request) throws Exception {
        return switch (request) {
            case Request.Hello hello -> hello(hello);
            case Request.Warmup warmUp -> warmUp(warmUp);
            case Request.Control control -> control(control);
            case Request.SlowTiers slow -> new Answer.SlowTiers(laboratory.slowTierMethods(Agent.workloadClasses()));
            case Request.Compile compile -> new Answer.Compile(compile.units().stream().map(this::compile).toList());
            case Request.Forget forget -> {
                laboratory.forget(forget.codes());
                yield new Answer.Done();
            }
            case Request.Window window -> window(window);
            case Request.Count count -> count(count.iterations());
            case Request.EventsTypes types -> new Answer.EventsTypes(Catalogue.rows());
            case Request.EventsCompile compile -> compileEvents(compile);
            case Request.EventsRun run -> runEvents(run);
            case Request.ProfilerStart start -> {
                profilers.start(start.profiler());
                yield new Answer.Done();
            }
            case Request.ProfilerStop stop -> {
                profilers.stop(stop.file());
                yield new Answer.Done();
            }
            case Request.Stop stop -> throw new IllegalStateException("stopped already");
        };
    }

    private Answer hello(Request.Hello request) throws IOException {
        runner.watch(new Watchdog((message, stack) -> channel.fail(new Answer.Failure(Answer.Kind.WORKLOAD, message, stack)), request.iterationLimitS()));
        if (request.laboratory()) {
            laboratory = new Laboratory();
        }
        // The kernel's name of this thread: PID/task/TID.
        Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
        return new Answer.Hello(ProcessHandle.current().pid(), Long.parseLong(self.getFileName().toString()), Thread.currentThread().getName(),
                System.getProperty("java.runtime.version"), System.getProperty("java.vendor"), Runtime.getRuntime().maxMemory());
    }

    private Answer warmUp(Request.Warmup request) throws Runner.WorkloadFailure {
        threads.begin();
        Runner.WarmUp warmUp = runner.warmUp(request.leastS(), request.mostS(), request.together());
        return new Answer.Warmup(warmUp.steady(), warmUp.reason(), runner.together(), numbers(warmUp.iterations()), threads.started(),
                threads.others());
    }

    private Answer control(Request.Control request) {
        Path profiles = request.profiles() == null ? null : Path.of(request.profiles());
        return new Answer.Control(laboratory.control(request.methods(), profiles), laboratory.takeFailures());
    }

    private int compile(Request.Unit unit) {
        Map<Integer, Integer> counts = new HashMap<>();
        unit.counts().forEach(pair -> counts.put(pair[0], pair[1]));
        return laboratory.compile(unit.unit(), new Insertion(unit.filler(), unit.point(), counts, 0, unit.markers(), unit.shift()));
    }

    private Answer window(Request.Window request) throws Exception {
        long begin = System.nanoTime();
        profilers.begin(request.label());
        List<Answer.Group> groups = new ArrayList<>();
        for (List<Integer> codes : request.groups()) {
            if (!codes.isEmpty()) {
                laboratory.install(codes);
            }
            long settled = System.nanoTime();
            runner.run(0, request.discard());
            groups.add(new Answer.Group(settled, numbers(runner.run(request.seconds(), request.least()))));
        }
        profilers.end();
        return new Answer.Window(groups, begin, System.nanoTime(), invalid(), failures());
    }

    private Answer count(int iterations) throws Runner.WorkloadFailure {
        laboratory.startCounting();
        List<int[]> controlled = laboratory.controlled();
        List<String> failures = laboratory.takeFailures();
        runner.run(0, 2);
        laboratory.clearCounts();
        List<Runner.Iteration> counted = runner.run(0, iterations);
        return new Answer.Count(laboratory.counts(), numbers(counted), laboratory.invalidUnits(), controlled, failures);
    }

    private Answer compileEvents(Request.EventsCompile request) throws IOException {
        Request.EventPlan wanted = request.plan();
        Plan plan = Plan.of(wanted.strategy(), wanted.types(), wanted.perThread(), wanted.check(), wanted.markers());
        List<EventCode> compiled = laboratory.compileEvents(plan, request.units(), Path.of(request.table()));
        return new Answer.EventsCompile(compiled, laboratory.takeFailures());
    }

    private Answer runEvents(Request.EventsRun request) throws Exception {
        laboratory.install(request.codes());
        EventRun run = new EventRun();
        runner.run(0, request.discard());
        List<Runner.Iteration> iterations = new ArrayList<>();
        for (int i = 0; i < request.iterations(); i++) {
            run.begin();
            Runner.Iteration iteration = runner.timed();
            run.end(iteration);
            runner.compare();
            iterations.add(iteration);
        }
        run.save(Path.of(request.counters()));
        laboratory.saveEventTable(Path.of(request.table()));
        return new Answer.EventsRun(numbers(iterations), invalid(), failures());
    }

    /** Units whose code is no longer the one that was installed. */
    private List<String> invalid() {
        return laboratory == null ? List.of() : laboratory.invalidUnits();
    }

    /** Units that were given up since the last answer. */
    private List<String> failures() {
        return laboratory == null ? List.of() : laboratory.takeFailures();
    }

    private static List<long[]> numbers(List<Runner.Iteration> iterations) {
        return iterations.stream().map(i -> new long[] {i.begin(), i.end(), i.cpu()}).toList();
    }

    private static String trace(Throwable e) {
        if (e instanceof Runner.WorkloadFailure && e.getCause() == null) {
            return "";
        }
        StringWriter text = new StringWriter();
        (e.getCause() == null ? e : e.getCause()).printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
