package dev.neurontest.command;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The command in this JVM, with what it printed. */
public record CommandFixture(int status, String out, String err) {

    public static CommandFixture run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = NeuronTestCommand.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
        return new CommandFixture(command.execute(arguments), out.toString(), err.toString());
    }
}
