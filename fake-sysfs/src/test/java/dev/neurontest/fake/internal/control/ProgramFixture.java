package dev.neurontest.fake.internal.control;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A program that sends its arguments to a control socket, prints the answers, and keeps running. */
final class ProgramFixture {

    private ProgramFixture() {}

    /**
     * Runs the program.
     *
     * @param arguments the socket, and commands in which PID is replaced by the process ID of the program
     */
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
            // Waits until the program is killed or its host is gone.
            answers.readLine();
        }
    }
}
