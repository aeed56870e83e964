package dev.neurontest.print;

import dev.neurontest.runtime.DebugStream;
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
        /** Somebody else reads the stream. */
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

    /**
     * A run of events that is as long as the ring that they come from.
     *
     * @param stream what it is, at the beginning of a sentence
     * @param run events that came one after the other, without an empty stream between them
     * @param capacity how many the ring holds; 0 when that is not known
     */
    static PrintDoubt full(String stream, long run, long capacity) {
        return new PrintDoubt(
                Kind.FULL,
                capacity > 0
                        ? "%s gave %d events without being empty once, and holds %d (%s): it may have been full, and it drops events then without a sign. Print less at once, or set that to a larger power of two."
                                .formatted(stream, run, capacity, DebugStream.CAPACITY_VARIABLE)
                        : "%s gave %d events, and how many it holds is not known: it may have been full, and it drops events then without a sign. Set %s to a power of two."
                                .formatted(stream, run, DebugStream.CAPACITY_VARIABLE));
    }
}
