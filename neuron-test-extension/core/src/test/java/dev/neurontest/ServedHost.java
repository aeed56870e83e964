package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * A fake host that another JVM serves. A connection to its control socket is a process, and the host refuses it a core
 * that another process has open.
 */
public record ServedHost(Path socket) {

    public static ServedHost of(NeuronHost host) throws IOException {
        Path socket = Path.of(host.tree().location("control.sock"));
        Assumptions.assumeTrue(Files.exists(socket), socket + " is not there: this host is not a served fake");
        return new ServedHost(socket.toRealPath());
    }

    public void infer(List<NeuronCore> cores) throws IOException {
        List<String> physical = cores.stream()
                .flatMap(core -> core.physicalCores().stream())
                .map(Object::toString)
                .toList();
        try (SocketChannel connection = SocketChannel.open(UnixDomainSocketAddress.of(socket));
                BufferedReader answers = new BufferedReader(Channels.newReader(connection, StandardCharsets.UTF_8))) {
            say(connection, answers, "open infer " + String.join(" ", physical));
            for (String core : physical) {
                say(connection, answers, "execute infer " + core);
            }
            say(connection, answers, "close infer");
        }
    }

    private static void say(SocketChannel connection, BufferedReader answers, String command) throws IOException {
        connection.write(ByteBuffer.wrap((command + "\n").getBytes(StandardCharsets.UTF_8)));
        assertThat(answers.readLine()).as(command).startsWith("ok");
    }
}
