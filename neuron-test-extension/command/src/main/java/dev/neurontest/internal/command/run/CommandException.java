package dev.neurontest.internal.command.run;

import org.apiguardian.api.API;

/** Thrown when a command cannot do the requested work. The message contains the reason and the solution. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CommandException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message the reason and the solution
     */
    public CommandException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message the reason and the solution
     * @param cause the cause
     */
    public CommandException(String message, Throwable cause) {
        super(message, cause);
    }
}
