package proofmark.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import proofmark.graal.Json;

/** Commands in, one tab-separated line each; replies out, one line of JSON each. */
final class Channel implements AutoCloseable {
    private final SocketChannel socket;
    private final BufferedReader in;

    private Channel(SocketChannel socket) {
        this.socket = socket;
        this.in = new BufferedReader(new InputStreamReader(Channels.newInputStream(socket), StandardCharsets.UTF_8));
    }

    static Channel connect(Path path) throws IOException {
        SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
        socket.connect(UnixDomainSocketAddress.of(path));
        return new Channel(socket);
    }

    /** The next command's words, or null when the other side has gone. */
    String[] next() throws IOException {
        String line = in.readLine();
        return line == null ? null : line.split("\t", -1);
    }

    synchronized void reply(Json json) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((json + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            socket.write(bytes);
        }
    }

    /** There is no workload; waits for the first command, which this answers. */
    void fail(String message) throws IOException {
        next();
        reply(new Json().object().field("error", message).field("kind", "load").end());
        next();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
