package proofmark.harness;

import java.nio.file.Path;

/** A profiler that runs inside this JVM. */
interface Profiler {
    /** A window of the given label begins. */
    void begin(String label) throws Exception;

    /** The window ends. */
    void end() throws Exception;

    /** Writes what there is so far, if that is not done window by window; it goes on. */
    default void dump(Path file) throws Exception {
    }

    /** Writes what is still to be written. */
    void stop(Path file) throws Exception;
}
