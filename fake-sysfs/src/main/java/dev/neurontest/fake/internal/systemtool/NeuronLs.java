package dev.neurontest.fake.internal.systemtool;

import static dev.neurontest.fake.internal.tool.GoFlags.flag;
import static dev.neurontest.fake.internal.tool.GoFlags.text;

import dev.neurontest.fake.internal.tool.GoFlags;
import dev.neurontest.fake.internal.tool.HostConnection;
import dev.neurontest.fake.internal.tool.ToolFailure;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The command line of {@code neuron-ls}. */
final class NeuronLs {

    /** The first version without {@code --json-output}. */
    private static final int NEW_FORMAT = 34;

    private static final GoFlags.Flag[] FLAGS = {
        flag('w', "wide").does("Shows longer commands."),
        flag('a', "show-all-procs").does("Shows programs without the runtime too, such as neuron-ls itself."),
        flag('t', "topology").does("Shows the links between devices, and no processes."),
    };

    private static final GoFlags.Flag JSON = flag('j', "json-output").does("Prints JSON.");

    private static final GoFlags.Flag FORMAT =
            text(0, "output-format").does("Takes json, whose layout is not known: it is refused here.");

    private final int minor;
    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;

    NeuronLs(String version, Map<String, String> environment, PrintStream out, PrintStream err) {
        this.minor = new ToolRelease("neuron-ls", version).minor();
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs the command.
     *
     * @param host the host; null if it no longer exists
     * @return the exit code
     */
    int run(@Nullable HostConnection host, List<String> options) throws IOException, ToolFailure {
        GoFlags.Flag[] known = Stream.concat(Stream.of(FLAGS), Stream.of(minor < NEW_FORMAT ? JSON : FORMAT))
                .toArray(GoFlags.Flag[]::new);
        if (GoFlags.asksForHelp(options)) {
            out.print("Usage:\n  neuron-ls [OPTIONS]\n\nA stand-in for tests: it lists the devices of a fake host.\n\n"
                    + GoFlags.columns(known));
            return 0;
        }
        GoFlags flags;
        try {
            flags = GoFlags.parse(known, options);
        } catch (ToolFailure wrong) {
            out.println(wrong.message());
            return 1;
        }
        if (flags.has("output-format")) {
            throw new ToolFailure("--output-format " + flags.get("output-format", "")
                    + ": the layout of this version is not known, so the fake does not play it");
        }
        String answer = host == null ? "" : SystemToolWords.ofOneWord(host.request(request(flags, options)));
        if (answer.isEmpty()) {
            err.println("time=\"" + Instant.now().truncatedTo(ChronoUnit.SECONDS)
                    + "\" level=fatal msg=\"Failed to load MLA system information\""
                    + " error=\"failed to discover Neuron devices\"");
            return 1;
        }
        out.print(answer);
        return 0;
    }

    private String request(GoFlags flags, List<String> options) throws ToolFailure {
        String format = flags.has("json-output") ? "json" : flags.has("topology") ? "topology" : "table";
        String request = "system-tool list " + minor + ' ' + format + ' '
                + SystemToolCommand.logicalCoreSize(environment) + ' ' + (flags.has("wide") ? "wide" : "usual");
        return flags.has("show-all-procs") ? request + ' ' + SystemToolCommand.program("neuron-ls", options) : request;
    }
}
