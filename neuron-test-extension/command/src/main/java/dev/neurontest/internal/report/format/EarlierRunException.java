package dev.neurontest.internal.report.format;

import org.apiguardian.api.API;

/**
 * Thrown when the report of an earlier run cannot be read. The message contains the file, the problem, the expected content, and advice.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class EarlierRunException extends RuntimeException {

    private static final long serialVersionUID = 1;

    EarlierRunException(String message, Throwable cause) {
        super(message, cause);
    }
}
