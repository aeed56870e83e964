package dev.neurontest.internal.command;

import dev.neurontest.internal.command.run.ExitStatus;
import dev.neurontest.internal.file.FileProblem;
import dev.neurontest.internal.file.OpenFileLimit;
import dev.neurontest.internal.terminal.AnsiSequences;
import dev.neurontest.internal.terminal.ColorChoice;
import dev.neurontest.internal.terminal.Terminal;
import dev.neurontest.internal.terminal.TerminalStyle;
import dev.neurontest.internal.terminal.VisibleWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/** The command of the runnable jar. */
@Command(
        name = "neuron-test",
        description = "Runs tests on AWS Neuron hardware, and inspects hosts, runs and baselines.",
        versionProvider = NeuronTestCommand.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RunCommand.class,
            DoctorCommand.class,
            ReportCommand.class,
            BaselineCommand.class,
            SnapshotCommand.class,
            RecordCommand.class,
            DiffCommand.class,
            ExplainCommand.class,
            CompletionCommand.class
        },
        footer = {
            "",
            "Begin with:",
            "  neuron-test doctor            what this machine has, and what is missing",
            "  neuron-test run -cp 'target/test-classes:target/classes:libs/*' \\",
            "      --scan-class-path --platform fake:trn1.2xlarge",
            "  neuron-test report --gate     as the last step of a CI job",
            "  source <(neuron-test generate-completion)",
            "                                completes words in bash and zsh"
        },
        exitCodeList = {"0:success", "1:a test or a gate failed, or tests cannot run on the host", "2:it could not run"
        })
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NeuronTestCommand extends Subcommand {

    /** Minimum width in columns that picocli accepts for help. */
    private static final int NARROWEST_HELP = 55;

    private static final String FAKE = "dev.neurontest.fake.internal.command.FakeSysfsCommand";

    @Option(names = "--stacktrace", scope = ScopeType.INHERIT, description = "print the stack trace of an error")
    private boolean stackTrace;

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            scope = ScopeType.INHERIT,
            description =
                    "auto, always or never; auto means on a terminal, and respects NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and TERM")
    private ColorChoice color = ColorChoice.AUTO;

    private final Terminal terminal;
    private final AnsiSequences sequences;

    private NeuronTestCommand(Terminal terminal, AnsiSequences sequences) {
        this.terminal = terminal;
        this.sequences = sequences;
    }

    /** Returns the terminal of the commands. */
    Terminal terminal() {
        return terminal;
    }

    AnsiSequences sequences() {
        return sequences;
    }

    TerminalStyle style() {
        return terminal.style(color, sequences);
    }

    /**
     * Runs the command and ends the JVM with its exit code.
     *
     * @param arguments the words after the jar
     */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /**
     * Runs the command in this JVM, with its standard output and standard error.
     *
     * @param arguments the words after the jar
     * @return the exit code
     */
    public static int run(String... arguments) {
        CommandLine command =
                commandLine(new PrintWriter(System.out), new PrintWriter(System.err), Terminal.ofThisProcess());
        try {
            return command.execute(arguments);
        } catch (OutOfMemoryError full) {
            command.getErr()
                    .println(
                            "neuron-test needs more memory than this JVM has (%s MiB). Set a larger heap, such as with java -Xmx8g -jar neuron-test.jar or MAVEN_OPTS=-Xmx8g, or use fewer or smaller files."
                                    .formatted(Runtime.getRuntime().maxMemory() >> 20));
            command.getErr().flush();
            return ExitStatus.COULD_NOT_RUN;
        }
    }

    /**
     * Returns the meaning of an exit code, as in the help of the command.
     *
     * @param arguments the words after the jar
     * @return empty if the help does not list the code
     */
    public static String meaning(int exitCode, String... arguments) {
        CommandLine command = commandLine(Writer.nullWriter(), Writer.nullWriter(), Terminal.NONE);
        for (String word : arguments) {
            if (!command.getSubcommands().containsKey(word)) {
                break;
            }
            command = command.getSubcommands().get(word);
        }
        return command.getCommandSpec().usageMessage().exitCodeList().getOrDefault(Integer.toString(exitCode), "");
    }

    @Override
    public Integer call() {
        return help();
    }

    /** Creates the command with all its subcommands, ready to run. */
    static CommandLine commandLine(Writer out, Writer err, Terminal terminal) {
        NeuronTestCommand root = new NeuronTestCommand(terminal, AnsiSequences.random());
        CommandLine commands = new CommandLine(root);
        fake().ifPresent(fake -> {
            CommandLine served = new CommandLine(fake);
            served.getCommandSpec().name("fake");
            served.getCommandSpec().usageMessage().description("Serves a Neuron host without hardware.");
            commands.addSubcommand("fake", served);
        });
        terminal.width().ifPresent(columns -> commands.setUsageHelpWidth(Math.max(columns, NARROWEST_HELP)));
        List<String> sections = new ArrayList<>(commands.getHelpSectionKeys());
        // The exit codes follow the examples. By default they precede them.
        sections.sort(Comparator.comparing(key -> key.startsWith(UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST)));
        commands.setHelpSectionKeys(sections);
        PrintWriter ofHelp = new PrintWriter(out, true);
        return commands.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .setExecutionStrategy(given -> root.execute(given, ofHelp))
                .setOut(VisibleWriter.on(out, root.sequences))
                .setErr(VisibleWriter.on(err, root.sequences))
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(NeuronTestCommand::misused)
                .setExecutionExceptionHandler(NeuronTestCommand::failed);
    }

    /** Executes a command. Help contains no text from outside, so its colors do not need a key. */
    private int execute(ParseResult given, PrintWriter ofHelp) {
        given.asCommandLineList().stream()
                .filter(CommandLine::isUsageHelpRequested)
                .forEach(command -> command.setOut(ofHelp)
                        .setColorScheme(CommandLine.Help.defaultColorScheme(
                                style().colours().isPresent() ? Ansi.ON : Ansi.OFF)));
        return new CommandLine.RunLast().execute(given);
    }

    /** Returns the command of the fake, which is an optional dependency. Only the platform refers to its types. */
    private static Optional<Class<?>> fake() {
        try {
            return Optional.of(Class.forName(FAKE));
        } catch (ClassNotFoundException absent) {
            return Optional.empty();
        }
    }

    private static int misused(ParameterException problem, String[] arguments) {
        CommandLine command = problem.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(problem.getMessage());
        CommandSpec spec = command.getCommandSpec();
        command.getUnmatchedArguments().stream()
                .flatMap(word -> new UnknownWord(spec, List.of(arguments), word).advice().stream())
                .findFirst()
                .ifPresent(err::println);
        err.println("See '%s --help'.".formatted(spec.qualifiedName()));
        err.flush();
        return spec.exitCodeOnInvalidInput();
    }

    private static int failed(Exception problem, CommandLine command, CommandLine.ParseResult arguments) {
        PrintWriter err = command.getErr();
        if (((NeuronTestCommand) command.getCommandSpec().root().userObject()).stackTrace) {
            problem.printStackTrace(err);
        } else {
            err.println(words(problem));
        }
        err.flush();
        return ExitStatus.COULD_NOT_RUN;
    }

    /**
     * Returns the message for a failure. An exception of this program has a complete message. For any other exception, the type is more
     * informative than the message.
     */
    private static String words(Exception problem) {
        @Nullable String message = problem.getMessage();
        boolean foreseen =
                message != null && problem.getClass().getPackageName().startsWith("dev.neurontest");
        if (problem instanceof FileSystemException refused) {
            return "%s: %s. %s"
                    .formatted(
                            refused.getFile(),
                            FileProblem.of(refused),
                            OpenFileLimit.advice(refused, "Correct the path or its rights."));
        }
        return foreseen ? message : problem + "\n(use --stacktrace for details)";
    }

    /** The provider of the version of the jar. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = NeuronTestCommand.class.getPackage().getImplementationVersion();
            return new String[] {
                Ansi.OFF.string("neuron-test " + (version == null ? "(not from a jar)" : version)),
                "Java " + Runtime.version() + " in " + System.getProperty("java.home")
            };
        }
    }
}
