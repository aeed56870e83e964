package dev.neurontest.fake.internal.control;

import java.io.IOException;
import org.apiguardian.api.API;

/** What the commands of one speaker do. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Commands extends AutoCloseable {

    /**
     * Carries out one command.
     *
     * @param command any but {@link Command#HELP} and {@link Command#QUIT}
     * @param words what comes behind it
     * @return what comes behind {@code ok}, without a line end; empty for nothing
     * @throws IllegalArgumentException when it cannot be carried out
     * @throws IOException when a file cannot be read or written
     */
    String carryOut(Command command, CommandWords words) throws IOException;

    /** Waits until what the commands did is in the files. */
    void awaitPublished();

    /** Ends what the commands have begun, as the kernel does when a program is gone. */
    @Override
    void close();
}
