package proofmark.harness;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * async-profiler through its own Java interface: options are its jar, its library, the words of its
 * {@code start} command and a directory, in which every window leaves {@code LABEL.collapsed}.
 */
final class AsyncProfiler implements Profilers.Profiler {
    private final Object profiler;
    private final Method execute;
    private final String start;
    private final Path directory;
    private String label;

    AsyncProfiler(String[] options) throws Exception {
        URLClassLoader loader = new URLClassLoader(new URL[] {Path.of(options[0]).toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        Class<?> type = Class.forName("one.profiler.AsyncProfiler", true, loader);
        profiler = type.getMethod("getInstance", String.class).invoke(null, options[1]);
        execute = type.getMethod("execute", String.class);
        start = options[2];
        directory = Path.of(options[3]);
    }

    @Override
    public void begin(String windowLabel) throws Exception {
        label = windowLabel;
        command("start," + start);
    }

    @Override
    public void end() throws Exception {
        command("stop,file=" + directory.resolve(label + ".collapsed") + ",collapsed,threads,sig,ann");
    }

    @Override
    public void stop(Path file) {
        // Every window has been written already.
    }

    private void command(String words) throws Exception {
        try {
            execute.invoke(profiler, words);
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw new IllegalStateException("async-profiler refused '" + words + "': " + e.getCause().getMessage(), e.getCause());
        }
    }
}
