package dev.neurontest.internal.participant;

import org.apiguardian.api.API;

/** A test cannot begin, but there is something to judge and to keep all the same. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient RuntimeException reason;

    /**
     * The test does not begin.
     *
     * @param reason what it fails with, unless what is judged fails it
     */
    public RefusedException(RuntimeException reason) {
        super(reason);
        this.reason = reason;
    }

    public RuntimeException reason() {
        return reason;
    }
}
