package dev.neurontest.fake.internal.command;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.internal.help.VisibleText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command that runs a program with a host at the real path. */
@Command(
        name = "exec",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "125:COMMAND was not started",
            "126:COMMAND cannot be executed",
            "127:COMMAND was not found",
            "other:the exit code of COMMAND"
        },
        description = {
            "Runs COMMAND, which finds the host at the paths of a real one: /sys/devices/virtual/neuron_device,"
                    + " /sys/class/neuron_device, /sys/module/neuron, /proc/devices, /dev/neuronN, /opt/aws/neuron."
                    + " Other programs do not see it there.",
            "Ends when COMMAND ends, with its exit code, and ends all processes that COMMAND has left running."
                    + " NEURON_FAKE_ROOT is the root of the host; control.sock in it accepts the commands of 'serve'."
        },
        exitCodeOnInvalidInput = ExecCommand.NOT_STARTED,
        exitCodeOnExecutionException = ExecCommand.NOT_STARTED,
        showEndOfOptionsDelimiterInUsageHelp = true,
        mixinStandardHelpOptions = true)
final class ExecCommand implements Callable<Integer> {

    /** Exit code of env, nohup and others for a program that could not be started. */
    static final int NOT_STARTED = 125;

    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private HostOptions options = new HostOptions();

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "folder of the host's files, absent or empty; a private temporary folder by default")
    private @Nullable Path root;

    @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "a program and its arguments, after '--'")
    private List<String> command = List.of();

    @Spec
    void setSpec(CommandSpec given) {
        spec = given;
        // The options after COMMAND belong to COMMAND.
        given.parser().stopAtPositional(true);
    }

    @Override
    public Integer call() throws InterruptedException {
        Optional<String> unavailable = RealPath.unavailable();
        if (unavailable.isPresent()) {
            complain(unavailable.get());
            return NOT_STARTED;
        }
        FakeNeuronHost host = options.start(builder -> root == null ? builder : builder.root(root));
        CompletableFuture<Process> started = new CompletableFuture<>();
        try (RealPath realPath = RealPath.of(host)) {
            Signals.listen(signal -> {
                if (!Signals.isTyped(signal)) {
                    started.thenAccept(program -> pass(signal, program, realPath));
                }
            });
            Process program = realPath.program(command).start();
            started.complete(program);
            return program.waitFor();
        } catch (IOException e) {
            complain(e.getMessage());
            return NOT_STARTED;
        }
    }

    private void pass(int signal, Process program, RealPath realPath) {
        try {
            realPath.send(signal, program);
        } catch (IOException e) {
            complain("signal " + signal + " did not reach " + command.get(0) + ": " + e.getMessage());
        }
    }

    private void complain(@Nullable String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(VisibleText.of("fake-sysfs: " + message));
        err.flush();
    }
}
