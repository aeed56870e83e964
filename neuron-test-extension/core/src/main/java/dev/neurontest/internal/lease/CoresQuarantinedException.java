package dev.neurontest.internal.lease;

import dev.neurontest.device.LeaseException;
import java.util.List;
import org.apiguardian.api.API;

/** A request that this host can no longer meet because of cores in quarantine. The message names them with their reasons. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CoresQuarantinedException extends LeaseException {

    private static final long serialVersionUID = 1;

    /** What is in the way. */
    private final transient List<Quarantine> quarantines;

    /**
     * With its message.
     *
     * @param message which cores, and why
     * @param quarantines what is in the way
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CoresQuarantinedException(String message, List<Quarantine> quarantines) {
        super(message);
        this.quarantines = List.copyOf(quarantines);
    }

    /**
     * What is in the way.
     *
     * @return every core in quarantine that no process's end will free
     */
    public List<Quarantine> quarantines() {
        return quarantines;
    }
}
