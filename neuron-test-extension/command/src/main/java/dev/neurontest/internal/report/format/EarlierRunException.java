package dev.neurontest.internal.report.format;

import org.apiguardian.api.API;

/** The report of an earlier run cannot be read: which file, what was there, what was expected, and what to do. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class EarlierRunException extends RuntimeException {

    private static final long serialVersionUID = 1;

    EarlierRunException(String message, Throwable cause) {
        super(message, cause);
    }
}
