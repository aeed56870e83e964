package dev.neurontest.internal.participant.counter;

import org.apiguardian.api.API;

/** A listener for actions immediately before and after the counters of a test are read. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface SnapshotListener {

    /** Called before the first reading. */
    void beforeStart();

    /** Called after the first reading. */
    void afterStart();

    /** Called before the last reading. */
    void beforeStop();

    /** Called after the last reading. */
    void afterStop();
}
