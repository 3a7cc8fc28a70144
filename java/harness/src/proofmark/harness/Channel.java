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
import proofmark.graal.Laboratory;

/**
 * Requests in and answers out, one line of JSON each. An answer is the field {@code answer}, with {@code map} beside it
 * where something became known about machine code; a failure is the field {@code failure}.
 */
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

    /** The line of the next request, or null when the other side has gone. */
    String next() throws IOException {
        return in.readLine();
    }

    /** Answers; a laboratory tells its news besides. */
    void answer(Answer answer, Laboratory laboratory) throws IOException {
        Json reply = new Json().object().name("answer");
        Messages.write(reply, answer);
        if (laboratory != null) {
            laboratory.writeNews(reply.name("map"));
        }
        send(reply.end());
    }

    void fail(Answer.Failure failure) throws IOException {
        Json reply = new Json().object().name("failure");
        Messages.write(reply, failure);
        send(reply.end());
    }

    private synchronized void send(Json json) throws IOException {
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
