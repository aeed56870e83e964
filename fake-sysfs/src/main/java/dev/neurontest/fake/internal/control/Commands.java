package dev.neurontest.fake.internal.control;

import java.io.IOException;
import org.apiguardian.api.API;

/** The effects of the commands of one session. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Commands extends AutoCloseable {

    /**
     * Runs one command.
     *
     * @param command any command except {@link Command#HELP} and {@link Command#QUIT}
     * @param words the words after the command
     * @return the text after {@code ok}, without a line end; empty for none
     * @throws IllegalArgumentException when the command cannot be run
     * @throws IOException when a file cannot be read or written
     */
    String carryOut(Command command, CommandWords words) throws IOException;

    /** Waits until the effects of the commands are in the files. */
    void awaitPublished();

    /** Kills the processes of the commands, as the kernel does at the end of a program. */
    @Override
    void close();
}
