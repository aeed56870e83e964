package dev.neurontest.fake.internal.fuse;

import java.io.Serial;
import org.apiguardian.api.API;

/**
 * There can be no mount here. The message is one line: what is missing or refused. Unchecked, for it is no failure of the files
 * beside the mount.
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
