package dev.neurontest.internal.command;

import dev.neurontest.internal.terminal.Terminal;
import java.io.StringWriter;

/** The exit status and output of the command in this JVM. */
public record CommandFixture(int status, String out, String err) {

    public static CommandFixture run(String... arguments) {
        return on(Terminal.NONE, arguments);
    }

    public static CommandFixture on(Terminal terminal, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        return new CommandFixture(
                NeuronTestCommand.commandLine(out, err, terminal).execute(arguments), out.toString(), err.toString());
    }
}
