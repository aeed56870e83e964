package dev.neurontest.fake.internal.tool;

import org.apiguardian.api.API;

/** Thrown to end the command. The error was already printed, or is the message. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ToolFailure extends Exception {

    private static final long serialVersionUID = 1;

    /** Exit code of the process. */
    private final int exitCode;

    /**
     * Creates a failure with exit code 1.
     *
     * @param message the text to print; empty for none
     */
    public ToolFailure(String message) {
        this(message, 1);
    }

    /**
     * Creates a failure.
     *
     * @param message the text to print; empty for none
     * @param exitCode exit code of the process
     */
    public ToolFailure(String message, int exitCode) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    /**
     * Returns the exit code of the process.
     *
     * @return the exit code, 1 by default
     */
    public int exitCode() {
        return exitCode;
    }

    /**
     * Returns the last line for standard error.
     *
     * @return a line; empty for none
     */
    public String message() {
        String message = getMessage();
        return message == null ? "" : message;
    }
}
