package dev.neurontest;

import dev.neurontest.jvm.JvmCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A program that opens its cores on a fake host as the runtime does, until it ends. {@code infer N} executes N times
 * and ends; {@code hang} keeps running.
 */
final class FakeProgram {

    private FakeProgram() {}

    static List<String> command(String... arguments) {
        return JvmCommand.program(FakeProgram.class, arguments);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Map<String, String> environment = System.getenv();
        Path socket = Path.of(environment.get("NEURON_FAKE_ROOT"), "control.sock");
        try (SocketChannel connection = SocketChannel.open(UnixDomainSocketAddress.of(socket.toRealPath()));
                BufferedReader answers = new BufferedReader(Channels.newReader(connection, StandardCharsets.UTF_8))) {
            String taken = say(
                    connection,
                    answers,
                    "init model %s lnc %s pid %d"
                            .formatted(
                                    environment.get("NEURON_RT_VISIBLE_CORES"),
                                    environment.get("NEURON_LOGICAL_NC_CONFIG"),
                                    ProcessHandle.current().pid()));
            System.out.println("runs on " + taken);
            if (arguments[0].equals("hang")) {
                Thread.sleep(Long.MAX_VALUE);
            }
            for (String core : taken.substring(taken.indexOf("cores ") + 6).split(" ")) {
                say(connection, answers, "execute model %s NRT_SUCCESS %s".formatted(core, arguments[1]));
            }
        }
    }

    private static String say(SocketChannel connection, BufferedReader answers, String command) throws IOException {
        connection.write(ByteBuffer.wrap((command + "\n").getBytes(StandardCharsets.UTF_8)));
        String answer = answers.readLine();
        if (!answer.startsWith("ok")) {
            System.err.println("ERROR  NRT:nrt_allocate_neuron_cores " + answer);
            System.exit(1);
        }
        return answer;
    }
}
