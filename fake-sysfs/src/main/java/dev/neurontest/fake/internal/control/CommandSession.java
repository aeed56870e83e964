package dev.neurontest.fake.internal.control;

import dev.neurontest.fake.internal.help.Reason;
import dev.neurontest.fake.internal.help.VisibleText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A session with one client: standard input, or one connection to the control socket.
 *
 * <p>Each command is one line and has an answer of one line, {@code ok ...} or {@code error ...}. Only the answers to {@code help} and
 * {@code profiler help} have further lines; the first line contains their number. The answer is sent after the effect of the command is in
 * the files of the host's directory.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CommandSession implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger(CommandSession.class.getName());

    private static final Set<Command> FOR_PROGRAMS = Set.of(Command.NRT, Command.PROFILER, Command.SYSTEM_TOOL);

    private final Commands commands;
    private boolean quit;

    /** Creates a session that runs commands on a host. */
    public CommandSession(Commands commands) {
        this.commands = commands;
    }

    /**
     * Runs one command.
     *
     * @return one line without its end, beginning with {@code ok} or {@code error}; for help, followed by further lines
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
            // Programs read these answers unchanged. All other answers may be read at a terminal.
            return FOR_PROGRAMS.contains(command) ? answer : VisibleText.of(answer);
        } catch (IllegalArgumentException | IllegalStateException | UncheckedIOException | IOException refused) {
            // The last two: for example, the files of the host could not be written.
            return "error " + escaped(Reason.of(refused));
        } catch (RuntimeException failed) {
            // An error of the host itself must not end the host or the other sessions.
            LOGGER.log(System.Logger.Level.ERROR, "A command failed", failed);
            return "error the fake host failed: " + escaped(Reason.of(failed));
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

    /** Returns whether {@code quit} was received. */
    public boolean hasQuit() {
        return quit;
    }

    /** Kills the processes that this session started, as the kernel does at the end of a program. */
    @Override
    public void close() {
        commands.close();
    }

    /**
     * Escapes a text to fit in one line. The result shows the exact text, because even a newline at the end of a file may matter.
     *
     * @return the text with its line ends, backslashes and control characters escaped
     */
    public static String escaped(String text) {
        return VisibleText.of(text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r"));
    }
}
