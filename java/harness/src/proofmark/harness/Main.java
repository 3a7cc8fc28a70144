package proofmark.harness;

import java.io.FileDescriptor;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Runs a workload as Proofmark tells it to: {@code Main SOCKET KIND TARGET [ARGUMENT...]}. The
 * calling thread runs the workload and, between iterations, obeys the commands that come over the
 * socket. Standard output and error are the workload's and the JVM's own.
 */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        System.setOut(Limited.stream(FileDescriptor.out));
        System.setErr(Limited.stream(FileDescriptor.err));
        int status = 1;
        try (Channel channel = Channel.connect(Path.of(args[0]))) {
            Workload workload;
            try {
                workload = Workload.of(args[1], args[2], Arrays.copyOfRange(args, 3, args.length));
            } catch (Exception | Error e) {
                Throwable cause = e instanceof ExceptionInInitializerError && e.getCause() != null ? e.getCause() : e;
                channel.next();
                channel.fail(new Answer.Failure(Answer.Kind.LOAD, "cannot load the workload " + args[2] + ": " + cause, ""));
                // Proofmark ends this JVM when it has read that.
                channel.next();
                return;
            }
            new Session(channel, new Runner(workload)).serve();
            workload.close();
            status = 0;
        } catch (Throwable e) {
            e.printStackTrace();
        } finally {
            // Threads that the workload left behind must not keep the laboratory alive.
            Runtime.getRuntime().halt(status);
        }
    }
}
