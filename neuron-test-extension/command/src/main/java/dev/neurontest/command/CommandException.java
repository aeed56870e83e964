package dev.neurontest.command;

/** What a command was asked cannot be done; the message says why, and what to do. */
final class CommandException extends RuntimeException {

    private static final long serialVersionUID = 1;

    CommandException(String message) {
        super(message);
    }

    CommandException(String message, Throwable cause) {
        super(message, cause);
    }
}
