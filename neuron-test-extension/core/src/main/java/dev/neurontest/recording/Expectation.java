package dev.neurontest.recording;

import org.apiguardian.api.API;

/**
 * A demand on a recording.
 *
 * @param <R> the recording that it looks at
 */
@FunctionalInterface
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Expectation<R extends Recording> {

    /**
     * Judges everything at once; it never throws because a demand is not met.
     *
     * @param recording what was seen
     * @return what was violated, what could not be decided, and what is worth saying
     */
    Judgement judge(R recording);
}
