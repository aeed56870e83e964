package dev.neurontest.fake.internal.control;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A program that says what it is told to a control socket, prints the answers, and stays. */
final class ProgramFixture {

    private ProgramFixture() {}

    /** @param arguments the socket, and commands in which PID stands for the program's own number */
    public static void main(String[] arguments) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(arguments[0]));
                BufferedReader answers = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
                Writer commands = Channels.newWriter(channel, StandardCharsets.UTF_8)) {
            for (int i = 1; i < arguments.length; i++) {
                commands.write(arguments[i].replace(
                                "PID", Long.toString(ProcessHandle.current().pid()))
                        + "\n");
                commands.flush();
                System.out.println(answers.readLine());
            }
            // Until it is killed, or its host is gone.
            answers.readLine();
        }
    }
}
