package dev.neurontest.fake.profiler;

/** The command ends here. What is to be said has been said, or is the message. */
final class ToolFailure extends Exception {

    private static final long serialVersionUID = 1;

    private final int exitCode;

    ToolFailure(String message) {
        this(message, 1);
    }

    ToolFailure(String message, int exitCode) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }

    /** What standard error gets last; empty for nothing. */
    String message() {
        String message = getMessage();
        return message == null ? "" : message;
    }
}
