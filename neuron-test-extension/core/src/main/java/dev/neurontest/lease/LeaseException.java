package dev.neurontest.lease;

import dev.neurontest.text.VisibleText;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A lease that was not granted. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract sealed class LeaseException extends RuntimeException
        permits LeaseDeadlockException,
                CoresQuarantinedException,
                ImpossibleRequestException,
                LeaseTableException,
                LeaseTimeoutException,
                UnreadableTopologyException {

    private static final long serialVersionUID = 1;

    LeaseException(String message) {
        super(VisibleText.of(message));
    }

    LeaseException(String message, @Nullable Throwable cause) {
        super(VisibleText.of(message), cause);
    }
}
