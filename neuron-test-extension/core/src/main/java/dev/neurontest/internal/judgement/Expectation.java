package dev.neurontest.internal.judgement;

import org.apiguardian.api.API;

/**
 * A demand on a recording.
 *
 * @param <R> the recording that it looks at
 */
@FunctionalInterface
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Expectation<R extends Measurement> {

    /**
     * Judges everything at once; it never throws because a demand is not met.
     *
     * @param recording what was seen
     * @return what was violated, what could not be decided, and what is worth saying
     */
    Judgement judge(R recording);

    /**
     * Returns the part that holds for a body that was aborted. A demand is left out when it asks for something to happen: a body that
     * did nothing would break it.
     *
     * @return this, unless it contains such demands
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    default Expectation<R> ofAbortedBody() {
        return this;
    }
}
