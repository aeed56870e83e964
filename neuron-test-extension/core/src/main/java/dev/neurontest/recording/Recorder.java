package dev.neurontest.recording;

import org.apiguardian.api.API;

/**
 * Something that runs around the body of a test. It has taken its "before" when it exists.
 *
 * @param <R> what it leaves behind
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Recorder<R extends Recording> {

    /**
     * Waits, bounded, until what the body caused is visible, and takes the "after".
     *
     * @return the recording; a second call gives the same one
     */
    R stop();
}
