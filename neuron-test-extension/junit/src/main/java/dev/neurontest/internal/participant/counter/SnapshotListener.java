package dev.neurontest.internal.participant.counter;

import org.apiguardian.api.API;

/** A listener for actions immediately before and after the counters of a test are read. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface SnapshotListener {

    /** A listener that ignores all calls. */
    SnapshotListener NONE = new SnapshotListener() {};

    /** Called before the first reading. */
    default void beforeStart() {}

    /** Called after the first reading. */
    default void afterStart() {}

    /** Called before the last reading. */
    default void beforeStop() {}

    /** Called after the last reading. */
    default void afterStop() {}
}
