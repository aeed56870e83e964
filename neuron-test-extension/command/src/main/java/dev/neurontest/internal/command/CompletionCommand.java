package dev.neurontest.internal.command;

import dev.neurontest.internal.command.run.ExitStatus;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The command that prints the completion script of picocli. */
@Command(
        name = "generate-completion",
        exitCodeList = {"0:the script was printed", "2:an option is wrong"},
        description = "Prints a script that completes commands, options and their values in bash and zsh.",
        footer = {"", "Example:", "  source <(neuron-test generate-completion)"})
final class CompletionCommand extends Subcommand {

    @Override
    public Integer call() {
        CommandLine all = line().getCommandSpec().root().commandLine();
        all.getSubcommands().values().forEach(command -> withoutAttachedValues(command.getCommandSpec()));
        print(inAsciiDigits(AutoComplete.bash("neuron-test", all)));
        return ExitStatus.PASSED;
    }

    /** Removes the optional values, because picocli would complete the next word as such a value. */
    private static void withoutAttachedValues(CommandSpec command) {
        for (OptionSpec option : List.copyOf(command.options())) {
            if (option.preprocessor() instanceof AttachedValue) {
                command.remove(option);
                command.addOption(
                        OptionSpec.builder(option.names()).type(boolean.class).build());
            }
        }
    }

    /** Replaces the digits of the default locale, which picocli uses to number the variables of the script. */
    static String inAsciiDigits(String script) {
        return script.codePoints()
                .map(each -> Character.isDigit(each) ? '0' + Character.digit(each, 10) : each)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
