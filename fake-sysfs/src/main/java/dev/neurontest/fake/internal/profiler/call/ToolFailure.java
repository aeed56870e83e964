package dev.neurontest.fake.internal.profiler.call;

import org.apiguardian.api.API;

/** The command ends here. What is to be said has been said, or is the message. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ToolFailure extends Exception {

    private static final long serialVersionUID = 1;

    /** What the process ends with. */
    private final int exitCode;

    /**
     * Ends the command with 1.
     *
     * @param message what is to be said; empty for nothing
     */
    public ToolFailure(String message) {
        this(message, 1);
    }

    /**
     * Ends the command.
     *
     * @param message what is to be said; empty for nothing
     * @param exitCode what the process ends with
     */
    public ToolFailure(String message, int exitCode) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    /**
     * What the process ends with.
     *
     * @return 1 unless another was given
     */
    public int exitCode() {
        return exitCode;
    }

    /**
     * What standard error gets last; empty for nothing.
     *
     * @return one line
     */
    public String message() {
        String message = getMessage();
        return message == null ? "" : message;
    }
}
