package dev.neurontest.internal.report;

import org.apiguardian.api.API;

/**
 * What a gate decided about the run.
 *
 * @param gate its name, such as {@code hardware.min}
 * @param passed whether the run may pass
 * @param expected what it wants, in words
 * @param actual what was there, in words
 * @param advice what to do; empty when it passed
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record GateOutcome(String gate, boolean passed, String expected, String actual, String advice) {

    /**
     * Leaves the advice out where it is not needed.
     *
     * @param gate its name
     * @param passed whether the run may pass
     * @param expected what it wants
     * @param actual what was there
     * @param advice what to do otherwise
     */
    public GateOutcome {
        advice = passed ? "" : advice;
    }
}
