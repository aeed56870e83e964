package dev.neurontest.internal.lease;

import dev.neurontest.device.LeaseException;
import java.util.List;
import org.apiguardian.api.API;

/** Thrown when cores in quarantine make a request impossible on this host. The message names the cores and the reasons. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CoresQuarantinedException extends LeaseException {

    private static final long serialVersionUID = 1;

    /** The quarantines that block the request. */
    private final transient List<Quarantine> quarantines;

    /**
     * Creates the exception.
     *
     * @param message the cores and the reasons
     * @param quarantines the quarantines that block the request
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CoresQuarantinedException(String message, List<Quarantine> quarantines) {
        super(message);
        this.quarantines = List.copyOf(quarantines);
    }

    /**
     * Returns the quarantines that block the request.
     *
     * @return all quarantines that do not end with a process
     */
    public List<Quarantine> quarantines() {
        return quarantines;
    }
}
