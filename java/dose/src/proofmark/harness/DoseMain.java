package proofmark.harness;

import java.io.FileDescriptor;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Runs a workload with sites as Proofmark tells it to, on any JVM from Java 17 on:
 * {@code DoseMain SOCKET KIND TARGET [ARGUMENT...]}. The calling thread runs the workload and obeys the requests that
 * come over the socket between iterations; the clock is that of all threads of the workload.
 */
public final class DoseMain {
    /**
     * Large programs compile something all the time. What is compiled where time is added makes a window void, so that a
     * little elsewhere does not matter.
     */
    private static final double TRICKLE = 0.03;

    private DoseMain() {
    }

    public static void main(String[] args) {
        System.setOut(Limited.stream(FileDescriptor.out));
        System.setErr(Limited.stream(FileDescriptor.err));
        int status = 1;
        try (Line line = Line.connect(Path.of(args[0]))) {
            Workload workload;
            try {
                workload = Workload.of(args[1], args[2], Arrays.copyOfRange(args, 3, args.length));
            } catch (Exception | Error e) {
                Throwable cause = e instanceof ExceptionInInitializerError && e.getCause() != null ? e.getCause() : e;
                line.next();
                line.fail("load", "cannot load the workload " + args[2] + ": " + cause, "");
                // Proofmark ends this JVM when it has read that.
                line.next();
                return;
            }
            new DoseSession(line, new Runner(workload, AllThreads::cpuTime, TRICKLE)).serve();
            workload.close();
            status = 0;
        } catch (Throwable e) {
            e.printStackTrace();
        } finally {
            // Threads that the workload left behind must not keep the JVM alive.
            Runtime.getRuntime().halt(status);
        }
    }
}
