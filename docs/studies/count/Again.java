import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A real program in steady state: {@code Again PROGRAM WARM-UP TIMED ARGUMENT...} runs javac, ecj or cfr with the same
 * arguments so many times in one JVM and prints, for each of the timed ones, the CPU time of all threads but the
 * compilers', ns: the program's threads, also those that have ended, and the collector. Large programs keep C2 at
 * work for a minute; start the JVM with -XX:-UseDynamicNumberOfCompilerThreads, so that no compiler thread ends.
 */
public final class Again {
    private static final int PROCESS_CPUTIME = 2;
    private static final MethodHandle CLOCK = Linker.nativeLinker().downcallHandle(
            Linker.nativeLinker().defaultLookup().find("clock_gettime").orElseThrow(),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    private static final MemorySegment TIME = Arena.global().allocate(ValueLayout.JAVA_LONG, 2);

    private Again() {
    }

    public static void main(String[] arguments) throws Throwable {
        int warmUp = Integer.parseInt(arguments[1]);
        int timed = Integer.parseInt(arguments[2]);
        String[] own = java.util.Arrays.copyOfRange(arguments, 3, arguments.length);
        for (int round = 0; round < warmUp + timed; round++) {
            long begin = processTime() - compilersTime();
            run(arguments[0], own);
            long took = processTime() - compilersTime() - begin;
            if (round >= warmUp) {
                System.out.println(took);
            }
        }
    }

    private static long processTime() throws Throwable {
        int failed = (int) CLOCK.invokeExact(PROCESS_CPUTIME, TIME);
        if (failed != 0) {
            throw new IllegalStateException("no clock of the process");
        }
        return TIME.getAtIndex(ValueLayout.JAVA_LONG, 0) * 1_000_000_000L + TIME.getAtIndex(ValueLayout.JAVA_LONG, 1);
    }

    /** First field of schedstat: ns on a processor. */
    private static long compilersTime() throws IOException {
        long sum = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                sum += compilerTime(task);
            }
        }
        return sum;
    }

    /** 0 of other threads, also of one that has just ended. */
    private static long compilerTime(Path task) {
        try {
            boolean compiler = Files.readString(task.resolve("comm")).matches("(?s)C[12] Compiler.*");
            return compiler ? Long.parseLong(Files.readString(task.resolve("schedstat")).split(" ")[0]) : 0;
        } catch (IOException ended) {
            return 0;
        }
    }

    private static void run(String program, String[] arguments) throws Exception {
        PrintWriter nowhere = new PrintWriter(OutputStream.nullOutputStream());
        switch (program) {
            case "javac" -> com.sun.tools.javac.Main.compile(arguments, nowhere);
            case "cfr" -> Class.forName("org.benf.cfr.reader.Main")
                    .getMethod("main", String[].class).invoke(null, (Object) arguments);
            case "ecj" -> Class.forName("org.eclipse.jdt.core.compiler.batch.BatchCompiler")
                    .getMethod("compile", String[].class, PrintWriter.class, PrintWriter.class,
                            Class.forName("org.eclipse.jdt.core.compiler.CompilationProgress"))
                    .invoke(null, arguments, nowhere, nowhere, null);
            default -> throw new IllegalArgumentException(program);
        }
    }
}
