package dev.neurontest.fake.internal.fuse;

import java.io.Serial;
import org.apiguardian.api.API;

/**
 * Thrown when mounting is not possible. The message is a line with the reason. The exception is unchecked, because it is no failure
 * of the files next to the mount.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FuseUnavailableException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    FuseUnavailableException(String reason) {
        super(reason);
    }

    FuseUnavailableException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
