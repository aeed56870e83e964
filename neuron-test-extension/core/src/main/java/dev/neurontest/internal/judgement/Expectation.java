package dev.neurontest.internal.judgement;

import org.apiguardian.api.API;

/**
 * An expectation on a measurement.
 *
 * @param <R> type of the measurement
 */
@FunctionalInterface
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Expectation<R> {

    /**
     * Judges a measurement. It never throws because of an unmet expectation.
     *
     * @param measurement the measurement
     * @return violations, undecided results and notices
     */
    Judgement judge(R measurement);

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

    /**
     * Creates an expectation with another part for aborted bodies.
     *
     * @param expectation judges after every other body
     * @param ofAbortedBody judges after an aborted body
     * @return the expectation
     */
    static <R> Expectation<R> of(Expectation<R> expectation, Expectation<R> ofAbortedBody) {
        return new Expectation<>() {
            @Override
            public Judgement judge(R measurement) {
                return expectation.judge(measurement);
            }

            @Override
            public Expectation<R> ofAbortedBody() {
                return ofAbortedBody;
            }
        };
    }
}
