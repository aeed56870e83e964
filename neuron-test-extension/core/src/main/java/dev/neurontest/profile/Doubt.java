package dev.neurontest.profile;

import org.apiguardian.api.API;

/**
 * Why nothing can be decided by a profile, or by a part of it.
 *
 * @param kind what is wrong
 * @param reason what was seen, where, and what to do
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Doubt(Kind kind, String reason) {

    /** What can be wrong with a profile. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Kind {
        /** The tool failed, was ended at its deadline, or left nothing. */
        NOT_CAPTURED,
        /** NEFF and NTFF do not belong together. */
        OTHER_NEFF,
        /** Nothing shows that NEFF and NTFF belong together. */
        UNPROVEN_NEFF,
        /** An execution failed. */
        EXECUTION_ERRORS,
        /** The trace is empty or cut short. */
        INCOMPLETE_TRACE,
        /** Notifications of the device were lost, or the tool says that other data are missing. */
        DROPPED_NOTIFICATIONS,
        /** The tool says that figures of DMA are inaccurate or incomplete. Only metrics that are made of them are in doubt. */
        DOUBTFUL_DMA,
        /** The device was slowed down. Only times are in doubt. */
        THROTTLED,
        /** The first execution was traced, which carries start-up. Only its times are in doubt. */
        FIRST_EXECUTION,
        /** The trace, or what the tool wrote, cannot be read. */
        UNREADABLE,
        /** What the tool wrote cannot be so: numbers that contradict each other or the trace, or more than one answer. */
        IMPOSSIBLE_NUMBERS,
        /** Several graphs were seen, and the test does not say which one is meant. */
        AMBIGUOUS_GRAPH
    }
}
