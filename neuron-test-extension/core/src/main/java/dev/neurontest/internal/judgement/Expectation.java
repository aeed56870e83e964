package dev.neurontest.internal.judgement;

import org.apiguardian.api.API;

/**
 * An expectation on a measurement.
 *
 * @param <R> type of the measurement
 */
@FunctionalInterface
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Expectation<R extends Measurement> {

    /**
     * Judges a measurement. It never throws because of an unmet expectation.
     *
     * @param recording the measurement
     * @return violations, undecided results and notices
     */
    Judgement judge(R recording);

    /**
     * Returns the part that applies to an aborted test body. Expectations that require activity are left out, because an aborted
     * body would violate them.
     *
     * @return this, unless it contains such expectations
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    default Expectation<R> ofAbortedBody() {
        return this;
    }
}
