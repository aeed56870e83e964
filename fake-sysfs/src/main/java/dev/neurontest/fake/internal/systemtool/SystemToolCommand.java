package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.tool.HostConnection;
import dev.neurontest.fake.internal.tool.ToolFailure;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The main class of the stand-ins for {@code neuron-ls}, {@code neuron-monitor} and {@code nccom-test}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SystemToolCommand {

    private static final int OWN_ARGUMENTS = 3;

    private SystemToolCommand() {}

    /**
     * Runs the command and ends the JVM with its exit code.
     *
     * @param arguments the tool, its version, the root of its host, and the user's arguments
     */
    public static void main(String[] arguments) {
        PrintStream out = stream(FileDescriptor.out);
        PrintStream err = stream(FileDescriptor.err);
        int exitCode = run(Arrays.asList(arguments), System.getenv(), out, err);
        out.flush();
        err.flush();
        System.exit(exitCode);
    }

    /**
     * Runs the command.
     *
     * @param arguments those of {@link #main}
     * @param environment its environment variables
     * @return the exit code
     */
    public static int run(List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        String tool = arguments.get(0);
        String version = arguments.get(1);
        String named = environment.getOrDefault("NEURON_FAKE_ROOT", "");
        Path root = Path.of(named.isEmpty() ? arguments.get(2) : named).toAbsolutePath();
        List<String> options = arguments.subList(OWN_ARGUMENTS, arguments.size());
        try (HostConnection host = HostConnection.open(root)) {
            return switch (tool) {
                case "neuron-ls" -> new NeuronLs(version, environment, out, err).run(host, options);
                case "nccom-test" -> new NccomTest(version, environment, out, err).run(host, options);
                default -> new NeuronMonitor(environment, out).run(host, options);
            };
        } catch (IOException | ToolFailure failed) {
            err.println(tool + ": " + failed.getMessage());
            return 1;
        }
    }

    /** Returns the number of physical cores in a logical core that the environment sets; 0 for none. */
    static int logicalCoreSize(Map<String, String> environment) throws ToolFailure {
        String size = environment.getOrDefault("NEURON_LOGICAL_NC_CONFIG", "");
        return switch (size) {
            case "" -> 0;
            case "1" -> 1;
            case "2" -> 2;
            default -> throw new ToolFailure("NEURON_LOGICAL_NC_CONFIG must be 1 or 2, not \"" + size + "\"");
        };
    }

    /** Returns the words with which a tool names itself to the host. */
    static String program(String tool, List<String> options) {
        String command = Stream.concat(Stream.of(tool), options.stream()).collect(Collectors.joining(" "));
        return ProcessHandle.current().pid() + " "
                + SystemToolWords.inOneWord(DeviceList.shortened(command, DeviceList.WIDE_COMMAND));
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
    }
}
