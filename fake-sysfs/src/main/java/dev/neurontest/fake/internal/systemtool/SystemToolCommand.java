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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The main class of the stand-ins for {@code neuron-ls}, {@code neuron-monitor} and {@code nccom-test}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SystemToolCommand {

    private static final int OWN_ARGUMENTS = 3;
    private static final int LONGEST_COMMAND = 1000;

    private SystemToolCommand() {}

    /**
     * Runs the command and ends the JVM with its exit code.
     *
     * @param arguments the tool, its version, the root of its host, and the user's arguments
     */
    public static void main(String[] arguments) {
        PrintStream out = stream(FileDescriptor.out);
        PrintStream err = stream(FileDescriptor.err);
        String named = System.getenv().getOrDefault("NEURON_FAKE_ROOT", "");
        Path root = Path.of(named.isEmpty() ? arguments[2] : named).toAbsolutePath();
        List<String> options = Arrays.asList(arguments).subList(OWN_ARGUMENTS, arguments.length);
        int exitCode;
        try (HostConnection host = HostConnection.open(root)) {
            exitCode = switch (arguments[0]) {
                case "neuron-ls" -> new NeuronLs(arguments[1], out, err).run(host, options);
                case "nccom-test" -> new NccomTest(arguments[1], out, err).run(host, options);
                default -> new NeuronMonitor(out, err).run(host, options);
            };
        } catch (IOException | ToolFailure failed) {
            err.println(arguments[0] + ": " + failed.getMessage());
            exitCode = 1;
        }
        out.flush();
        err.flush();
        System.exit(exitCode);
    }

    /** Returns the number of physical cores in a logical core that the environment sets; 0 for none. */
    static int logicalCoreSize() throws ToolFailure {
        String size = System.getenv().getOrDefault("NEURON_LOGICAL_NC_CONFIG", "");
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
                + SystemToolWords.inOneWord(DeviceList.shortened(command, LONGEST_COMMAND));
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
    }
}
