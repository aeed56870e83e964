package dev.neurontest.command;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the script of picocli. */
@Command(
        name = "generate-completion",
        description = "Prints a script that completes commands, options and their values in bash and zsh.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  source <(neuron-test generate-completion)"})
final class CompletionCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    /** Picocli makes it. */
    CompletionCommand() {}

    @Override
    public void run() {
        CommandLine commands = Specs.required(spec).root().commandLine();
        PrintWriter out = Specs.required(spec).commandLine().getOut();
        out.print(inAsciiDigits(AutoComplete.bash("neuron-test", commands)));
        out.flush();
    }

    /** Replaces the digits of the default locale, in which picocli numbers the variables of the script. */
    static String inAsciiDigits(String script) {
        return script.codePoints()
                .map(each -> Character.isDigit(each) ? '0' + Character.digit(each, 10) : each)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
