package dev.neurontest.internal.participant;

import org.apiguardian.api.API;

/** Thrown when a test cannot begin but there are still results to judge and to attach. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient RuntimeException reason;

    /**
     * Creates an exception.
     *
     * @param reason the failure of the test, unless a judged result fails it
     */
    public RefusedException(RuntimeException reason) {
        super(reason);
        this.reason = reason;
    }

    public RuntimeException reason() {
        return reason;
    }
}
