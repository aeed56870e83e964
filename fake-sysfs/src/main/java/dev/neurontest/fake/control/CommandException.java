package dev.neurontest.fake.control;

/** A command that cannot be carried out; the message is what the {@code error} line says. */
final class CommandException extends Exception {

    private static final long serialVersionUID = 1;

    CommandException(String message) {
        super(message);
    }
}
