package dev.neurontest.fake.internal.tool;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The connection of a process to its host. When it closes, the host assumes that the process has ended. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostConnection implements AutoCloseable {

    private static final String SOCKET = "control.sock";

    private final SocketChannel channel;
    private final BufferedReader answers;

    private HostConnection(SocketChannel channel) {
        this.channel = channel;
        this.answers = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
    }

    /**
     * Connects to a host.
     *
     * @param root the root of the host
     * @return the connection, or null if the host no longer exists
     */
    public static @Nullable HostConnection open(Path root) {
        Path socket = root.resolve(SOCKET);
        try {
            if (Files.isSymbolicLink(socket)) {
                socket = Files.readSymbolicLink(socket);
            }
            return new HostConnection(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
        } catch (IOException gone) {
            return null;
        }
    }

    /**
     * Sends a command.
     *
     * @param command a line
     * @return the text after {@code ok}
     * @throws IOException if the connection to the host is lost
     * @throws ToolFailure if the host answers {@code error}
     */
    public String request(String command) throws IOException, ToolFailure {
        String answer = answerTo(command);
        if (answer == null) {
            throw new IOException("the host has gone");
        }
        if (answer.startsWith("ok")) {
            return answer.substring(2).strip();
        }
        throw new ToolFailure(answer.startsWith("error ") ? answer.substring(6) : answer);
    }

    /** Returns the answer; null if the host has closed the connection. */
    private @Nullable String answerTo(String command) {
        ByteBuffer line = ByteBuffer.wrap((command + "\n").getBytes(StandardCharsets.UTF_8));
        try {
            while (line.hasRemaining()) {
                channel.write(line);
            }
            return answers.readLine();
        } catch (IOException closed) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
