package dev.neurontest.fake.internal.profiler;

import dev.neurontest.fake.internal.help.HelpText;
import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.profiler.capture.CaptureCommand;
import dev.neurontest.fake.internal.profiler.capture.InspectCommand;
import dev.neurontest.fake.internal.profiler.table.Schema;
import dev.neurontest.fake.internal.profiler.view.UploadCommand;
import dev.neurontest.fake.internal.profiler.view.ViewCommand;
import dev.neurontest.fake.internal.tool.GoFlags;
import dev.neurontest.fake.internal.tool.ToolFailure;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The main class of the stand-in for {@code neuron-explorer} and {@code neuron-profile}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProfilerCommand {

    private static final int OWN_ARGUMENTS = 3;

    private ProfilerCommand() {}

    /**
     * Runs the command and ends the JVM with its exit code.
     *
     * @param arguments the tool, its version, the root of its host, and the user's arguments
     */
    public static void main(String[] arguments) {
        Invocation invocation = Invocation.ofThisProcess(
                new ToolRelease(arguments[0], arguments[1]),
                arguments[2],
                Arrays.asList(arguments).subList(OWN_ARGUMENTS, arguments.length));
        int exitCode = run(invocation);
        invocation.out().flush();
        invocation.err().flush();
        System.exit(exitCode);
    }

    /** Runs a command and returns its exit code. */
    static int run(Invocation invocation) {
        try {
            List<String> arguments = invocation.arguments();
            if (arguments.isEmpty()) {
                throw new ToolFailure("Please specify one command of: " + commands(invocation));
            }
            List<String> options = arguments.subList(1, arguments.size());
            String command = arguments.get(0);
            GoFlags.Flag[] flags = flags(invocation, command);
            List<String> own = command.equals("inspect") ? InspectCommand.options(options) : options;
            if (flags != null && GoFlags.asksForHelp(own)) {
                invocation.out().print(GoFlags.help(invocation.release().tool(), command, flags));
                return 0;
            }
            switch (command) {
                case "--version", "-v", "version" -> {
                    invocation
                            .out()
                            .println(invocation.release().tool()
                                    + ' '
                                    + invocation.release().version());
                    return 0;
                }
                case "--help", "-h" -> {
                    invocation.out().print(help(invocation.release()));
                    return 0;
                }
                case "--show-profile-schema" -> {
                    if (!invocation.release().explorer()
                            || invocation.release().minor() < 31
                            || invocation.release().minor() > 32) {
                        throw new ToolFailure("unknown flag `show-profile-schema'");
                    }
                    invocation.out().print(new Schema().toYaml());
                    return 0;
                }
                case "capture" -> {
                    return CaptureCommand.run(invocation, options);
                }
                case "view" -> {
                    return ViewCommand.run(invocation, options);
                }
                case "inspect" -> {
                    return InspectCommand.run(invocation, options);
                }
                default -> {
                    if (flags == null) {
                        throw unknown(invocation, command);
                    }
                    return command.equals("upload")
                            ? UploadCommand.run(invocation, options)
                            : ViewCommand.recommend(invocation, options);
                }
            }
        } catch (ToolFailure failure) {
            if (!failure.message().isEmpty()) {
                invocation.err().println(failure.message());
            }
            return failure.exitCode();
        } catch (IOException failed) {
            invocation.err().println(failed);
            return 1;
        }
    }

    /** Returns the flags of a subcommand, or null if the subcommand is unknown. */
    private static GoFlags.Flag @Nullable [] flags(Invocation invocation, String command) {
        return switch (command) {
            case "capture" -> CaptureCommand.FLAGS;
            case "view" -> ViewCommand.FLAGS;
            case "inspect" -> InspectCommand.FLAGS;
            case "recommend" -> invocation.release().explorer() ? ViewCommand.RECOMMEND_FLAGS : null;
            case "upload" -> invocation.release().explorer() ? UploadCommand.FLAGS : null;
            default -> null;
        };
    }

    private static String help(ToolRelease release) {
        HelpText commands = new HelpText()
                .add("capture", "Executes a NEFF and writes the trace of it (NTFF).")
                .add("inspect", "Runs a program and writes the traces of what it executes.");
        if (release.explorer()) {
            commands.add("recommend", "Prints made-up advice in Markdown.");
            commands.add("upload", "Adds a profile to those of a server of view on this machine.");
        }
        return """
                Usage:
                  %s [OPTIONS] COMMAND

                A stand-in for tests: it executes nothing, and its profiles are made up.

                Commands, each of which takes --help:
                %s""".formatted(release.tool(), commands.add("view", "Makes numbers, tables or pages of a trace."));
    }

    private static ToolFailure unknown(Invocation invocation, String command) {
        return new ToolFailure(
                "Unknown command `" + command + "'. Please specify one command of: " + commands(invocation));
    }

    private static String commands(Invocation invocation) {
        return invocation.release().explorer()
                ? "capture, inspect, recommend, upload or view"
                : "capture, inspect or view";
    }
}
