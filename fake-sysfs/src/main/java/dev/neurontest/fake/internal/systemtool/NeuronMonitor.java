package dev.neurontest.fake.internal.systemtool;

import static dev.neurontest.fake.internal.tool.GoFlags.number;
import static dev.neurontest.fake.internal.tool.GoFlags.text;

import dev.neurontest.fake.internal.help.Reason;
import dev.neurontest.fake.internal.tool.GoFlags;
import dev.neurontest.fake.internal.tool.HostConnection;
import dev.neurontest.fake.internal.tool.ToolFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
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
    private static final long LONGEST_WAIT = 1_000_000_000;
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
                flags.has("config-file") ? ' ' + SystemToolWords.configuration(read(flags.get("config-file", ""))) : "";
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

    private static byte[] read(String file) throws ToolFailure {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            byte[] text = in.readNBytes(LONGEST_CONFIGURATION + 1);
            if (text.length > LONGEST_CONFIGURATION) {
                throw new ToolFailure(file + " is longer than " + LONGEST_CONFIGURATION + " bytes");
            }
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
            return text;
        } catch (NoSuchFileException gone) {
            throw new ToolFailure("open " + file + ": no such file or directory");
        } catch (CharacterCodingException binary) {
            throw new ToolFailure(file + " is not UTF-8 text");
        } catch (IOException unreadable) {
            throw new ToolFailure(file + " cannot be read: " + Reason.of(unreadable));
        }
    }

    /** Waits, but not for long: the monitor ends with its host. */
    private static void waitFor(long nanoseconds) throws ToolFailure {
        try {
            TimeUnit.NANOSECONDS.sleep(Math.min(nanoseconds, LONGEST_WAIT));
        } catch (InterruptedException e) {
            throw new ToolFailure("interrupted");
        }
    }
}
