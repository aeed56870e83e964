package dev.neurontest.fake.internal.systemtool;

import static dev.neurontest.fake.internal.tool.GoFlags.number;
import static dev.neurontest.fake.internal.tool.GoFlags.text;

import dev.neurontest.fake.internal.tool.GoFlags;
import dev.neurontest.fake.internal.tool.HostConnection;
import dev.neurontest.fake.internal.tool.ToolFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The command line of {@code neuron-monitor}. Its exit codes are not known; the fake uses 1. */
final class NeuronMonitor {

    private static final int LONGEST_CONFIGURATION = 4096;
    private static final String WAIT = "wait ";

    private static final GoFlags.Flag[] FLAGS = {
        number(0, "verbose"), text('c', "config-file").does("Reads the groups and their periods from a file."),
    };

    private final Map<String, String> environment;
    private final PrintStream out;

    NeuronMonitor(Map<String, String> environment, PrintStream out) {
        this.environment = environment;
        this.out = out;
    }

    /**
     * Prints reports until the reader or the host has gone.
     *
     * @param host the host; null if it no longer exists
     * @return the exit code
     */
    int run(@Nullable HostConnection host, List<String> options) throws IOException, ToolFailure {
        if (GoFlags.asksForHelp(options)) {
            out.print(usage());
            return 0;
        }
        GoFlags flags;
        try {
            flags = GoFlags.parse(FLAGS, options);
        } catch (ToolFailure wrong) {
            out.print(wrong.message() + "\n" + usage());
            return 1;
        }
        String configuration =
                flags.has("config-file") ? ' ' + SystemToolWords.inOneWord(read(flags.get("config-file", ""))) : "";
        if (host == null) {
            throw new ToolFailure("the host has gone");
        }
        try {
            host.request("system-tool monitor " + SystemToolCommand.logicalCoreSize(environment) + ' '
                    + SystemToolCommand.program("neuron-monitor", options) + configuration);
        } catch (ToolFailure refused) {
            throw flags.has("config-file")
                    ? new ToolFailure(flags.get("config-file", "") + ": " + refused.message())
                    : refused;
        }
        // A reader that has gone makes the next line fail.
        while (!out.checkError()) {
            String answer = host.request("system-tool next");
            if (answer.startsWith(WAIT)) {
                waitFor(Long.parseLong(answer.substring(WAIT.length())));
            } else {
                out.println(answer);
            }
        }
        return 0;
    }

    private static String usage() {
        return "Usage:\n  neuron-monitor [OPTIONS]\n\nA stand-in for tests: it reports on a fake host, a JSON object per line.\n\n"
                + GoFlags.columns(FLAGS);
    }

    private static String read(String file) throws ToolFailure {
        try {
            Path path = Path.of(file);
            if (Files.size(path) > LONGEST_CONFIGURATION) {
                throw new ToolFailure(file + " is longer than " + LONGEST_CONFIGURATION + " bytes");
            }
            return Files.readString(path);
        } catch (NoSuchFileException gone) {
            throw new ToolFailure("open " + file + ": no such file or directory");
        } catch (MalformedInputException binary) {
            throw new ToolFailure(file + " is not UTF-8 text");
        } catch (IOException unreadable) {
            throw new ToolFailure(file + " cannot be read: " + unreadable);
        }
    }

    private static void waitFor(long nanoseconds) throws ToolFailure {
        try {
            TimeUnit.NANOSECONDS.sleep(nanoseconds);
        } catch (InterruptedException e) {
            throw new ToolFailure("interrupted");
        }
    }
}
