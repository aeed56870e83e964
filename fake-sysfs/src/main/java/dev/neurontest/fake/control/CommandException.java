package dev.neurontest.fake.control;

import org.apiguardian.api.API;

/** A command that cannot be carried out; the message is what the {@code error} line says. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CommandException extends Exception {

    private static final long serialVersionUID = 1;

    CommandException(String message) {
        super(message);
    }
}
