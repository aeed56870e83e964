package dev.neurontest.internal.participant.counter;

import org.apiguardian.api.API;

/** What has to happen right before or after the counters of a test are looked at. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface SnapshotListener {

    /** They are about to be looked at for the first time. */
    void beforeStart();

    /** They were looked at for the first time. */
    void afterStart();

    /** They are about to be looked at for the last time. */
    void beforeStop();

    /** They were looked at for the last time. */
    void afterStop();
}
