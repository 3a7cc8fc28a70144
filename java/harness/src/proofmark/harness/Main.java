package proofmark.harness;

import java.io.IOException;
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

    public static void main(String[] args) throws IOException {
        try (Channel channel = Channel.connect(Path.of(args[0]))) {
            Workload workload;
            try {
                workload = Workload.of(args[1], args[2], Arrays.copyOfRange(args, 3, args.length));
            } catch (ReflectiveOperationException | LinkageError e) {
                channel.fail("cannot load the workload " + args[2] + ": " + e);
                return;
            }
            new Session(channel, new Runner(workload)).serve();
        }
        // Threads that the workload left behind must not keep the laboratory alive.
        Runtime.getRuntime().halt(0);
    }
}
