package dev.neurontest.fake.internal.profiler.capture;

import static dev.neurontest.fake.internal.tool.GoFlags.flag;
import static dev.neurontest.fake.internal.tool.GoFlags.number;
import static dev.neurontest.fake.internal.tool.GoFlags.text;

import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.tool.GoFlags;
import dev.neurontest.fake.internal.tool.ToolFailure;
import dev.neurontest.fake.internal.tool.ToolScripts;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** The command {@code inspect}. It runs a program with the environment variables that make the runtime profile it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class InspectCommand {

    /** The flags of {@code inspect}. */
    public static final GoFlags.Flag[] FLAGS = {
        text('o', "output-dir").does("The folder to write to."),
        number('n', "num-trace-events").does("How many events are kept."),
        flag("capture-system-profiles"),
        flag("capture-device-profiles"),
    };

    private InspectCommand() {}

    /**
     * Returns the options of the command. The rest belongs to the program.
     *
     * @param arguments the arguments after the name of the command
     */
    public static List<String> options(List<String> arguments) {
        int end = 0;
        while (end < arguments.size()
                && arguments.get(end).startsWith("-")
                && !arguments.get(end).equals("--")) {
            end += takesNextArgument(arguments.get(end)) ? 2 : 1;
        }
        return arguments.subList(0, Math.min(end, arguments.size()));
    }

    private static boolean takesNextArgument(String argument) {
        return Arrays.stream(FLAGS)
                .filter(flag -> flag.kind() != GoFlags.Kind.NOTHING)
                .anyMatch(flag -> argument.equals("-" + flag.letter()) || argument.equals("--" + flag.name()));
    }

    /**
     * Runs the command.
     *
     * @param invocation the invocation
     * @param arguments the arguments after the name of the command
     * @return the exit code
     * @throws ToolFailure if the command ends early
     * @throws IOException if a program cannot be started
     */
    public static int run(Invocation invocation, List<String> arguments) throws ToolFailure, IOException {
        List<String> options = options(arguments);
        GoFlags flags = GoFlags.parse(FLAGS, options);
        List<String> command = arguments.subList(options.size(), arguments.size());
        if (!command.isEmpty() && command.get(0).equals("--")) {
            command = command.subList(1, command.size());
        }
        if (command.isEmpty()) {
            throw invocation.refuse("no program to run");
        }
        invocation.log("INFO", "Running command \"" + String.join(" ", command) + "\" with profiling enabled");
        ProcessBuilder program = new ProcessBuilder(command)
                .directory(invocation.directory().toFile())
                .inheritIO();
        Map<String, String> environment = program.environment();
        environment.clear();
        environment.putAll(invocation.environment());
        ToolScripts.restoreLocale(environment);
        environment.put("NEURON_RT_INSPECT_ENABLE", "1");
        environment.put("NEURON_RT_INSPECT_DEVICE_PROFILE", "1");
        environment.put(
                "NEURON_RT_INSPECT_OUTPUT_DIR",
                flags.get("output-dir", invocation.release().explorer() ? "." : "./output"));
        if (flags.has("num-trace-events")) {
            environment.put("NEURON_RT_INSPECT_SYS_TRACE_MAX_EVENTS_PER_NC", flags.get("num-trace-events", ""));
        }
        Process child;
        try {
            child = program.start();
        } catch (IOException notStarted) {
            throw invocation.refuse("exec: " + notStarted.getMessage());
        }
        try {
            return child.waitFor();
        } catch (InterruptedException e) {
            child.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new ToolFailure("signal: interrupt");
        }
    }
}
