package dev.neurontest.fake.internal.command;

import static dev.neurontest.patience.Patience.await;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The subcommand {@code run} in a separate process, and the socket of its host. */
final class ExecFixture {

    /**
     * A command that restores signals. A background process, such as a build, ignores some signals, and its children
     * inherit that.
     */
    private static final List<String> DEFAULT_SIGNALS = List.of("env", "--default-signal=HUP,INT,QUIT,TERM");

    private static final List<String> HEARING =
            succeeds(Stream.concat(DEFAULT_SIGNALS.stream(), Stream.of("true")).toList()) ? DEFAULT_SIGNALS : List.of();

    private ExecFixture() {}

    /** Returns the words that start the command, up to those of a subcommand. */
    static List<String> java(String classPath) {
        List<String> words = new ArrayList<>(HEARING);
        words.addAll(JvmCommand.java(
                "--enable-native-access=ALL-UNNAMED", "-cp", classPath, FakeSysfsCommand.class.getName()));
        return words;
    }

    private static boolean succeeds(List<String> words) {
        try {
            return new ProcessBuilder(words).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<String> words(List<String> options, String... command) {
        List<String> words = new ArrayList<>(java(System.getProperty("java.class.path")));
        words.add("exec");
        words.addAll(options);
        words.add("--");
        words.addAll(List.of(command));
        return words;
    }

    static Process start(List<String> options, String... command) throws IOException {
        return new ProcessBuilder(words(options, command))
                .redirectErrorStream(true)
                .start();
    }

    /** Ends the remaining programs. The command ends and cleans up after its program. */
    static void stop(List<Process> started) throws InterruptedException {
        for (Process process : started) {
            process.descendants().toList().forEach(ProcessHandle::destroyForcibly);
            if (!process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)) {
                process.destroyForcibly();
            }
        }
    }

    /**
     * Sends commands from outside, where the socket has the same path. Afterwards, everything that was opened is
     * closed.
     */
    static void tell(Path root, String... commands) throws IOException {
        Path socket = root.resolve("control.sock");
        await().until(() -> Files.exists(socket));
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket.toRealPath()));
                BufferedReader answers = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
                Writer lines = Channels.newWriter(channel, StandardCharsets.UTF_8)) {
            for (String command : commands) {
                lines.append(command).append('\n').flush();
                assertThat(answers.readLine()).startsWith("ok");
            }
            lines.append("quit\n").flush();
            assertThat(answers.lines()).containsExactly("ok");
        }
    }
}
