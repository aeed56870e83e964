package dev.neurontest.baseline;

import org.apiguardian.api.API;

/**
 * A reason why the values of a result prove nothing, however good they look.
 *
 * @param kind failed or incomplete
 * @param reason description of the observation, its place and a possible remedy
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SampleDoubt(Kind kind, String reason) {

    /** The kinds of reasons. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Kind {
        /** A failure that the result itself reports, such as requests with errors. It fails the test. */
        FAILED,
        /** Missing or contradictory data, such as fewer executions than requested. The test is undecided. */
        INCOMPLETE
    }
}
