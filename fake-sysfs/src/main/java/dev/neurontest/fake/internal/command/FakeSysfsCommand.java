package dev.neurontest.fake.internal.command;

import dev.neurontest.fake.internal.help.VisibleText;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.apiguardian.api.API;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command of the runnable jar. It provides a fake host to programs of any language. */
@Command(
        name = "fake-sysfs",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"2:no COMMAND is given"},
        description = "A Neuron host without hardware.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ListCommand.class, ServeCommand.class, ExecCommand.class, NeffCommand.class})
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FakeSysfsCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Creates the command; called by picocli and {@link #main(String[])}. */
    public FakeSysfsCommand() {}

    /** Runs the command and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new FakeSysfsCommand())
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(FakeSysfsCommand::refuse);
    }

    /** Prints the list of subcommands, because none was given. */
    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        command.usage(command.getErr());
        command.getErr().flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** Prints only the reason, because the complete usage below it would hide it. */
    private static int refuse(ParameterException problem, String[] arguments) {
        CommandSpec command = problem.getCommandLine().getCommandSpec();
        PrintWriter err = problem.getCommandLine().getErr();
        err.println(VisibleText.of(String.valueOf(problem.getMessage())));
        UnmatchedArgumentException.printSuggestions(problem, err);
        err.println("See '%s --help'.".formatted(command.qualifiedName()));
        err.flush();
        return command.exitCodeOnInvalidInput();
    }
}
