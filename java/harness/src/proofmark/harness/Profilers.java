package proofmark.harness;

import java.nio.file.Path;

/** The profiler under test, if any; at most one in a JVM. */
final class Profilers {
    private Profiler profiler;

    /** A profiler that runs inside this JVM. */
    interface Profiler {
        /** A window of the given label begins. */
        void begin(String label) throws Exception;

        /** The window ends. */
        void end() throws Exception;

        /** Writes what is still to be written. */
        void stop(Path file) throws Exception;
    }

    void start(String kind, String[] options) throws Exception {
        if (profiler != null) {
            throw new IllegalStateException("one profiler per JVM: " + profiler.getClass().getSimpleName() + " is running");
        }
        profiler = switch (kind) {
            case "jfr" -> new FlightRecorder(options);
            case "async" -> new AsyncProfiler(options);
            case "safepoint" -> new SafepointSampler(options);
            default -> throw new IllegalArgumentException("unknown profiler " + kind);
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
