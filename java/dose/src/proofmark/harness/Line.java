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
import java.util.Map;

import proofmark.graal.Json;

/**
 * Requests in and replies out, one line of JSON each. A reply is the field {@code answer} or the field {@code failure}.
 */
final class Line implements AutoCloseable {
    private final SocketChannel socket;
    private final BufferedReader in;

    private Line(SocketChannel socket) {
        this.socket = socket;
        this.in = new BufferedReader(new InputStreamReader(Channels.newInputStream(socket), StandardCharsets.UTF_8));
    }

    static Line connect(Path path) throws IOException {
        SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
        socket.connect(UnixDomainSocketAddress.of(path));
        return new Line(socket);
    }

    /** The next request, an object with one field named after it; null when the other side has gone. */
    @SuppressWarnings("unchecked")
    Map.Entry<String, Map<String, Object>> next() throws IOException {
        String line = in.readLine();
        return line == null ? null : ((Map<String, Map<String, Object>>) JsonReader.read(line)).entrySet().iterator().next();
    }

    /** {@code kind} is workload, load or harness. */
    void fail(String kind, String message, String trace) throws IOException {
        send(new Json().object().name("failure").object().field("kind", kind).field("message", message).field("trace", trace).end().end());
    }

    synchronized void send(Json json) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((json + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            socket.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
