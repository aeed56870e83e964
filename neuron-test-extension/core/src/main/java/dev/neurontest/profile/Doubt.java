package dev.neurontest.profile;

import org.apiguardian.api.API;

/**
 * The reason why a profile, or a part of it, cannot be judged.
 *
 * @param kind the kind of problem
 * @param reason the observed problem, its place and a remedy
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Doubt(Kind kind, String reason) {

    /** The kinds of problems of a profile. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Kind {
        /** A failed tool, a tool ended at its deadline, or a tool that produced no output. */
        NOT_CAPTURED,
        /** A NEFF and an NTFF that do not belong together. */
        OTHER_NEFF,
        /** A NEFF and an NTFF without proof that they belong together. */
        UNPROVEN_NEFF,
        /** A failed execution. */
        EXECUTION_ERRORS,
        /** An empty or truncated trace. */
        INCOMPLETE_TRACE,
        /** Lost notifications of the device, or other missing data that the tool reported. */
        DROPPED_NOTIFICATIONS,
        /** DMA figures that the tool reported as inaccurate or incomplete. Only metrics derived from them are in doubt. */
        DOUBTFUL_DMA,
        /** A throttled device. Only times are in doubt. */
        THROTTLED,
        /** A trace of the first execution, which includes start-up. Only its times are in doubt. */
        FIRST_EXECUTION,
        /** A trace or tool output that cannot be read. */
        UNREADABLE,
        /** Impossible tool output: numbers that contradict each other or the trace, or more than one answer. */
        IMPOSSIBLE_NUMBERS,
        /** Several traced graphs while the test does not select one. */
        AMBIGUOUS_GRAPH
    }
}
