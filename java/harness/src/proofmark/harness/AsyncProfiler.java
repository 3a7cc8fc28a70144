package proofmark.harness;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * async-profiler through its own Java interface; every window leaves {@code LABEL.collapsed} in the directory, or, with
 * lines of the code, a recording {@code LABEL.jfr}.
 */
final class AsyncProfiler implements Profiler {
    /** Its interface. A native library belongs to the class loader that loaded it: a second start takes the same one. */
    private static Object profiler;
    private static Method execute;

    private final String start;
    private final Path directory;
    private final boolean lines;
    private String label;

    AsyncProfiler(String jar, String library, String start, String directory, boolean lines) throws Exception {
        if (profiler == null) {
            load(jar, library);
        }
        this.start = start;
        this.directory = Path.of(directory);
        this.lines = lines;
    }

    private static void load(String jar, String library) throws Exception {
        URLClassLoader loader = new URLClassLoader(new URL[] {Path.of(jar).toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        Class<?> type = Class.forName("one.profiler.AsyncProfiler", true, loader);
        try {
            profiler = type.getMethod("getInstance", String.class).invoke(null, library);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("async-profiler cannot be loaded: " + e.getCause().getMessage(), e.getCause());
        }
        execute = type.getMethod("execute", String.class);
    }

    @Override
    public void begin(String windowLabel) throws Exception {
        label = windowLabel;
        command("start," + (lines ? "jfr,file=" + directory.resolve(label + ".jfr") + "," : "") + start);
    }

    @Override
    public void end() throws Exception {
        command(lines ? "stop" : "stop,file=" + directory.resolve(label + ".collapsed") + ",collapsed,threads,sig,ann");
    }

    @Override
    public void stop(Path file) {
        // Every window has been written already.
    }

    private void command(String words) throws Exception {
        try {
            execute.invoke(profiler, words);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("async-profiler refused '" + words + "': " + e.getCause().getMessage(), e.getCause());
        }
    }
}
