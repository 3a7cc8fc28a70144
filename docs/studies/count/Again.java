import com.sun.management.OperatingSystemMXBean;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;

/**
 * A real program in steady state: {@code Again PROGRAM WARM-UP TIMED ARGUMENT...} runs javac, ecj or cfr with the same
 * arguments so many times in one JVM and prints, for each of the timed ones, the CPU time of the process, ns: the
 * program's threads, the collector, and what the compilers still do.
 */
public final class Again {
    private Again() {
    }

    public static void main(String[] arguments) throws Exception {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        int warmUp = Integer.parseInt(arguments[1]);
        int timed = Integer.parseInt(arguments[2]);
        String[] own = java.util.Arrays.copyOfRange(arguments, 3, arguments.length);
        for (int round = 0; round < warmUp + timed; round++) {
            long begin = system.getProcessCpuTime();
            run(arguments[0], own);
            if (round >= warmUp) {
                System.out.println(system.getProcessCpuTime() - begin);
            }
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
