package dev.neurontest.internal.command;

import dev.neurontest.internal.command.run.ExitStatus;
import dev.neurontest.internal.terminal.Progress;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command of {@code neuron-test} with its picocli specification. */
@Command(mixinStandardHelpOptions = true, exitCodeListHeading = "%nExit codes:%n")
abstract class Subcommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    final CommandLine line() {
        return Objects.requireNonNull(spec, "picocli has not set the command up")
                .commandLine();
    }

    /** Returns the root command. */
    final NeuronTestCommand program() {
        return (NeuronTestCommand) line().getCommandSpec().root().userObject();
    }

    final void print(String text) {
        line().getOut().print(text);
        line().getOut().flush();
    }

    /** Starts to print the progress of the command. */
    final Progress progress(Supplier<String> words) {
        return Progress.start(program().terminal(), program().sequences(), line().getOut(), line().getErr(), words);
    }

    final ParameterException misused(String problem) {
        return new ParameterException(line(), problem);
    }

    /** Prints the help of a command that does nothing without a subcommand. */
    final int help() {
        line().usage(line().getErr());
        line().getErr().flush();
        return ExitStatus.COULD_NOT_RUN;
    }
}
