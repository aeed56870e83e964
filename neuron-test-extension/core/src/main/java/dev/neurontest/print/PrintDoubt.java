package dev.neurontest.print;

import org.apiguardian.api.API;

/**
 * Why there may have been more prints than are here.
 *
 * @param kind what is wrong
 * @param reason what was seen, where, and what to do
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PrintDoubt(Kind kind, String reason) {

    /** What can be wrong with prints. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Kind {
        /** The runtime, or this silicon, has no debug stream. */
        UNAVAILABLE,
        /** Another reader has the stream. */
        TAKEN,
        /** Prints are missing: a sequence has gaps, or what could not be kept was dropped. */
        LOST,
        /** The stream may have been full, and drops events then without a sign. */
        FULL,
        /** The stream did not become quiet in time, or reading it failed. */
        UNSETTLED,
        /** What came from a process cannot be read. */
        UNREADABLE
    }
}
