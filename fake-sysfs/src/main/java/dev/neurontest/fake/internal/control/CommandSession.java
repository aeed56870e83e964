package dev.neurontest.fake.internal.control;

import dev.neurontest.fake.internal.help.VisibleText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * One speaker of commands: standard input, or one connection to the control socket.
 *
 * <p>Each command is one line and gets one line, {@code ok ...} or {@code error ...}; only behind that of {@code help} and
 * {@code profiler help} follow others, as many as it says. What it did is in the files of the
 * host's directory when it is answered.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CommandSession implements AutoCloseable {

    private final Commands commands;
    private boolean quit;

    /**
     * Begins to listen.
     *
     * @param commands what the commands do
     */
    public CommandSession(Commands commands) {
        this.commands = commands;
    }

    /**
     * Carries out one command.
     *
     * @param line the command
     * @return one line without its end, beginning with {@code ok} or {@code error}; with those that follow when it asks for help
     */
    public String answer(String line) {
        if (line.length() > CommandLines.LONGEST_LINE) {
            return "error the line is longer than " + CommandLines.LONGEST_LINE + " bytes";
        }
        List<String> words = Stream.of(line.strip().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList();
        try {
            if (words.isEmpty()) {
                throw new IllegalArgumentException("empty line; try help");
            }
            Command command = Command.of(words.get(0));
            String result = carryOut(command, new CommandWords(command.usage(), words.subList(1, words.size())));
            commands.awaitPublished();
            String answer = result.isEmpty() ? "ok" : "ok " + result;
            // The runtime library and the profiler commands print what they are told; all others may be read at a
            // terminal.
            return command == Command.NRT || command == Command.PROFILER ? answer : VisibleText.of(answer);
        } catch (IllegalArgumentException | IllegalStateException | UncheckedIOException refused) {
            // The last such as when the host is closed while a program waits for its answer.
            return "error " + escaped(String.valueOf(refused.getMessage()));
        } catch (IOException | RuntimeException failed) {
            // A mistake of the host itself ends neither it nor the other speakers.
            return "error " + escaped(failed.getClass().getSimpleName() + " " + failed.getMessage());
        }
    }

    private String carryOut(Command command, CommandWords words) throws IOException {
        if (command == Command.HELP) {
            return Command.help();
        }
        if (command == Command.QUIT) {
            words.end();
            quit = true;
            return "";
        }
        return commands.carryOut(command, words);
    }

    /**
     * Whether {@code quit} was said.
     *
     * @return true from then on
     */
    public boolean hasQuit() {
        return quit;
    }

    /** Kills what is still running, as the kernel does when a program is gone. */
    @Override
    public void close() {
        commands.close();
    }

    /**
     * Writes a text in one line. It says exactly what was there, for whether a file ends with a newline is one of the things that
     * differ.
     *
     * @param text any
     * @return the text with its line ends, backslashes and control characters escaped
     */
    public static String escaped(String text) {
        return VisibleText.of(text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r"));
    }
}
