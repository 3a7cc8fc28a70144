package proofmark.harness;

import java.nio.file.Path;

/** The profiler under test, if any; at most one in a JVM. */
final class Profilers {
    private Profiler profiler;

    void start(Request.Profiler wanted) throws Exception {
        if (profiler != null) {
            throw new IllegalStateException("one profiler per JVM: " + profiler.getClass().getSimpleName() + " is running");
        }
        profiler = switch (wanted) {
            case Request.Profiler.Jfr jfr -> new FlightRecorder(jfr.settings().stream().map(one -> new String[] {one.event(), one.name(), one.value()}).toList());
            case Request.Profiler.Async async -> new AsyncProfiler(async.jar(), async.library(), async.start(), async.directory(), false);
            case Request.Profiler.Safepoint safepoint -> new SafepointSampler(safepoint.intervalNs(), safepoint.directory(), false);
        };
    }

    void begin(String label) throws Exception {
        if (profiler != null) {
            profiler.begin(label);
        }
    }

    void end() throws Exception {
        if (profiler != null) {
            profiler.end();
        }
    }

    void stop(String file) throws Exception {
        if (profiler != null) {
            profiler.stop(Path.of(file));
            profiler = null;
        }
    }
}
