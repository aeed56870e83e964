package dev.neurontest.lease.store;

import java.io.IOException;
import org.apiguardian.api.API;

/** A table that another process has locked for longer than the limit of the wait. The message names that process. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LockedTableException extends IOException {

    private static final long serialVersionUID = 1L;

    LockedTableException(String message) {
        super(message);
    }
}
