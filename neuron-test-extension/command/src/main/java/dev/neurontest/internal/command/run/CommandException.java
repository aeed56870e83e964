package dev.neurontest.internal.command.run;

import org.apiguardian.api.API;

/** What a command was asked cannot be done; the message says why, and what to do. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CommandException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /**
     * A request that cannot be met.
     *
     * @param message why, and what to do
     */
    public CommandException(String message) {
        super(message);
    }

    /**
     * A request that cannot be met.
     *
     * @param message why, and what to do
     * @param cause what went wrong
     */
    public CommandException(String message, Throwable cause) {
        super(message, cause);
    }
}
