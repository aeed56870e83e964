package dev.neurontest.internal.command;

import dev.neurontest.internal.command.run.ExitStatus;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command that prints the completion script of picocli. */
@Command(
        name = "generate-completion",
        description = "Prints a script that completes commands, options and their values in bash and zsh.",
        footer = {"", "Example:", "  source <(neuron-test generate-completion)"})
final class CompletionCommand extends Subcommand {

    @Override
    public Integer call() {
        CommandLine all = line().getCommandSpec().root().commandLine();
        print(inAsciiDigits(AutoComplete.bash("neuron-test", all)));
        return ExitStatus.PASSED;
    }

    /** Replaces the digits of the default locale, which picocli uses to number the variables of the script. */
    static String inAsciiDigits(String script) {
        return script.codePoints()
                .map(each -> Character.isDigit(each) ? '0' + Character.digit(each, 10) : each)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
