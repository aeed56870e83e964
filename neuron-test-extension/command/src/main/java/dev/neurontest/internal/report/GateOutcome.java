package dev.neurontest.internal.report;

import org.apiguardian.api.API;

/**
 * The verdict of a gate about the run.
 *
 * @param gate name, such as {@code hardware.min}
 * @param passed true if the run passes the gate
 * @param expected requirement of the gate, in words
 * @param actual result of the run, in words
 * @param advice advice; empty when the gate passed
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record GateOutcome(String gate, boolean passed, String expected, String actual, String advice) {

    /** Creates an outcome; advice for a passed gate is omitted. */
    public GateOutcome {
        advice = passed ? "" : advice;
    }
}
