package proofmark.harness;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A stream to the JVM's log that ends after so much: a workload that prints would fill the disk. */
final class Limited extends OutputStream {
    private static final long BYTES = 1 << 20;

    private final OutputStream out;
    private long left = BYTES;

    private Limited(FileDescriptor file) {
        out = new FileOutputStream(file);
    }

    static PrintStream stream(FileDescriptor file) {
        return new PrintStream(new Limited(file), true, StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        if (left <= 0) {
            return;
        }
        out.write(bytes, offset, (int) Math.min(length, left));
        left -= length;
        if (left <= 0) {
            out.write("\n[proofmark: the rest of the program's output is left out]\n".getBytes(StandardCharsets.UTF_8));
        }
    }
}
