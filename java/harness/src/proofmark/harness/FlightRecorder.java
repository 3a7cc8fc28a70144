package proofmark.harness;

import java.nio.file.Path;
import java.util.List;

import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;

/**
 * JFR as its users start it, with the given settings of events. Windows are events of their own in the recording, hence in
 * the same clock as the samples.
 */
final class FlightRecorder implements Profiler {
    private final Recording recording = new Recording();
    private long windows;
    private Window window;

    /** A stretch of iterations under one plan. */
    @Name("proofmark.Window")
    @Label("Proofmark window")
    @StackTrace(false)
    static final class Window extends Event {
        @Label("Label")
        String label;
        @Label("Index")
        long index;
    }

    /** Each setting is the name of an event, the setting's own name and its value. */
    FlightRecorder(List<String[]> settings) {
        for (String[] setting : settings) {
            recording.enable(setting[0]).with(setting[1], setting[2]);
        }
        recording.enable(Window.class);
        recording.start();
    }

    @Override
    public void begin(String label) {
        window = new Window();
        window.label = label;
        window.index = windows++;
        window.begin();
    }

    @Override
    public void end() {
        window.end();
        window.commit();
    }

    @Override
    public void dump(Path file) throws Exception {
        recording.dump(file);
    }

    @Override
    public void stop(Path file) throws Exception {
        recording.stop();
        recording.dump(file);
        recording.close();
    }
}
