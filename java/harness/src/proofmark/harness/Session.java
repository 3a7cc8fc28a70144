package proofmark.harness;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import proofmark.graal.Filler;
import proofmark.graal.Insertion;
import proofmark.graal.Json;
import proofmark.graal.Laboratory;
import proofmark.graal.events.Catalogue;
import proofmark.graal.events.Plan;

/** Obeys commands until told to stop. Every command gets one reply; a failed one says why. */
final class Session {
    private final Channel channel;
    private final Runner runner;
    private final Profilers profilers = new Profilers();
    private final Threads threads = new Threads();
    /** Null in a JVM that does not compile with Graal. */
    private Laboratory laboratory;

    Session(Channel channel, Runner runner) {
        this.channel = channel;
        this.runner = runner;
    }

    void serve() throws IOException {
        for (String[] words = channel.next(); words != null && !words[0].equals("stop"); words = channel.next()) {
            Json reply = new Json().object();
            try {
                obey(words, reply);
                if (laboratory != null) {
                    laboratory.writeNews(reply);
                }
                channel.reply(reply.end());
            } catch (Runner.WorkloadFailure e) {
                channel.reply(new Json().object().field("error", e.getMessage()).field("kind", "workload").field("trace", trace(e)).end());
            } catch (Exception | Error e) {
                channel.reply(new Json().object().field("error", e.toString()).field("kind", "harness").field("trace", trace(e)).end());
            }
        }
    }

    private void obey(String[] words, Json reply) throws Exception {
        switch (words[0]) {
            case "hello" -> hello(reply, words[1].equals("graal"), Double.parseDouble(words[2]));
            case "warmup" -> warmUp(reply, Double.parseDouble(words[1]), Double.parseDouble(words[2]));
            case "control" -> control(reply, words[1], words[2]);
            case "slow-tiers" -> write(reply, "methods", laboratory.slowTierMethods(Agent.workloadClasses()));
            case "compile" -> compile(reply, Path.of(words[1]));
            case "forget" -> laboratory.forget(ids(words[1]));
            case "window" -> window(reply, words);
            case "count" -> count(reply, Integer.parseInt(words[1]));
            case "events-types" -> Catalogue.write(reply);
            case "events-compile" -> compileEvents(reply, Path.of(words[1]), Path.of(words[2]));
            case "events-run" -> runEvents(reply, words);
            case "profiler-start" -> profilers.start(words[1], Arrays.copyOfRange(words, 2, words.length));
            case "profiler-stop" -> profilers.stop(words[1]);
            default -> throw new IllegalArgumentException("unknown command " + words[0]);
        }
    }

    private void hello(Json reply, boolean graal, double iterationLimit) throws IOException {
        runner.watch(new Watchdog(channel, iterationLimit));
        if (graal) {
            laboratory = new Laboratory();
        }
        // The kernel's name of this thread: PID/task/TID.
        Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
        reply.field("pid", ProcessHandle.current().pid()).field("tid", Long.parseLong(self.getFileName().toString()))
                .field("thread", Thread.currentThread().getName()).field("java_version", System.getProperty("java.runtime.version"))
                .field("vm", System.getProperty("java.vm.name")).field("vendor", System.getProperty("java.vendor"))
                .field("heap_bytes", Runtime.getRuntime().maxMemory());
    }

    private void warmUp(Json reply, double least, double most) throws Runner.WorkloadFailure {
        threads.begin();
        Runner.WarmUp warmUp = runner.warmUp(least, most);
        reply.field("steady", warmUp.steady()).field("reason", warmUp.reason());
        write(reply, warmUp.iterations());
        threads.write(reply);
    }

    private void control(Json reply, String profiles, String namesFile) throws IOException {
        Path directory = profiles.isEmpty() ? null : Path.of(profiles);
        writePairs(reply, "controlled", laboratory.control(Files.readAllLines(Path.of(namesFile)), directory));
        write(reply, "failures", laboratory.takeFailures());
    }

    /** Each line: unit index, filler, placement, markers (true or false), shift in bytes, then block=count pairs. */
    private void compile(Json reply, Path table) throws IOException {
        reply.array("compiled");
        for (String line : Files.readAllLines(table)) {
            String[] words = line.split(" ");
            Map<Integer, Integer> counts = new HashMap<>();
            for (int i = 5; i < words.length; i++) {
                int equals = words[i].indexOf('=');
                counts.put(Integer.parseInt(words[i].substring(0, equals)), Integer.parseInt(words[i].substring(equals + 1)));
            }
            reply.value(laboratory.compile(Integer.parseInt(words[0]),
                    new Insertion(Filler.valueOf(words[1]), Insertion.Placement.valueOf(words[2]), counts, 0, Boolean.parseBoolean(words[3]),
                            Integer.parseInt(words[4]))));
        }
        reply.end();
    }

    /**
     * {@code window LABEL SECONDS LEAST DISCARD GROUP...}: installs each group of codes in turn and
     * runs so long under it; the first DISCARD iterations after an installation are not reported.
     */
    private void window(Json reply, String[] words) throws Exception {
        double seconds = Double.parseDouble(words[2]);
        int least = Integer.parseInt(words[3]);
        int discard = Integer.parseInt(words[4]);
        long begin = System.nanoTime();
        profilers.begin(words[1]);
        reply.array("groups");
        for (int g = 5; g < words.length; g++) {
            if (!words[g].isEmpty()) {
                laboratory.install(ids(words[g]));
            }
            long settled = System.nanoTime();
            runner.run(0, discard);
            List<Runner.Iteration> iterations = runner.run(seconds, least);
            reply.object().field("installed_ns", settled);
            write(reply, iterations);
            reply.end();
        }
        reply.end();
        profilers.end();
        reply.field("begin_ns", begin).field("end_ns", System.nanoTime());
        if (laboratory != null) {
            write(reply, "invalid", laboratory.invalidUnits());
            write(reply, "failures", laboratory.takeFailures());
        }
    }

    private void count(Json reply, int iterations) throws Runner.WorkloadFailure {
        laboratory.startCounting();
        writePairs(reply, "controlled", laboratory.controlled());
        write(reply, "failures", laboratory.takeFailures());
        runner.run(0, 2);
        laboratory.clearCounts();
        List<Runner.Iteration> counted = runner.run(0, iterations);
        laboratory.writeCounts(reply);
        write(reply, counted);
        write(reply, "invalid", laboratory.invalidUnits());
    }

    /** The plan's first line is the plan, each further one the index of a unit. */
    private void compileEvents(Json reply, Path plan, Path table) throws IOException {
        List<String> lines = Files.readAllLines(plan);
        List<Integer> units = lines.stream().skip(1).map(Integer::parseInt).toList();
        laboratory.compileEvents(Plan.parse(lines.getFirst()), units, reply, table);
        write(reply, "failures", laboratory.takeFailures());
    }

    /** {@code events-run ITERATIONS DISCARD COUNTERS TABLE [CODES]}: installs codes, runs, reads the counters. */
    private void runEvents(Json reply, String[] words) throws Exception {
        if (words.length > 5 && !words[5].isEmpty()) {
            laboratory.install(ids(words[5]));
        }
        EventRun run = new EventRun();
        runner.run(0, Integer.parseInt(words[2]));
        List<Runner.Iteration> iterations = new ArrayList<>();
        for (int i = Integer.parseInt(words[1]); i > 0; i--) {
            run.begin();
            Runner.Iteration iteration = runner.iteration();
            run.end(iteration);
            iterations.add(iteration);
        }
        run.save(Path.of(words[3]));
        laboratory.saveEventTable(Path.of(words[4]));
        write(reply, iterations);
        write(reply, "invalid", laboratory.invalidUnits());
        write(reply, "failures", laboratory.takeFailures());
    }

    private static List<Integer> ids(String words) {
        List<Integer> ids = new ArrayList<>();
        for (String word : words.split(",")) {
            ids.add(Integer.parseInt(word));
        }
        return ids;
    }

    private static void write(Json reply, List<Runner.Iteration> iterations) {
        reply.array("iterations");
        for (Runner.Iteration i : iterations) {
            reply.array().value(i.begin()).value(i.end()).value(i.cpu()).end();
        }
        reply.end();
    }

    private static void writePairs(Json reply, String name, List<int[]> pairs) {
        reply.array(name);
        pairs.forEach(pair -> reply.array().value(pair[0]).value(pair[1]).end());
        reply.end();
    }

    private static void write(Json reply, String name, List<String> words) {
        reply.array(name);
        words.forEach(reply::value);
        reply.end();
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
