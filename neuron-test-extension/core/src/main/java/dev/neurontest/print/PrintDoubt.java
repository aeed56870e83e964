package dev.neurontest.print;

import org.apiguardian.api.API;

/**
 * A reason why prints may be missing.
 *
 * @param kind kind of the problem
 * @param reason description of the observation, its place and a possible remedy
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PrintDoubt(Kind kind, String reason) {

    /** The kinds of problems with prints. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Kind {
        /** Missing support for debug streams, in the runtime or in this silicon. */
        UNAVAILABLE,
        /** A stream that another reader has opened. */
        TAKEN,
        /** Missing prints: a sequence has gaps, or events that could not be stored were dropped. */
        LOST,
        /** A stream that may have been full. A full stream drops events without a sign. */
        FULL,
        /** A stream that did not become quiet in time, or that could not be read. */
        UNSETTLED,
        /** Unreadable data from a process. */
        UNREADABLE
    }
}
