package dev.neurontest.internal.judgement;

import org.apiguardian.api.API;

/**
 * A violated expectation.
 *
 * @param rule text of the expectation as the user wrote it, such as {@code @ExpectCounter("inference_count", delta = 100)}
 * @param subject subject of the expectation, such as {@code neuron0/neuron_core1 status/hw_error}
 * @param expected expected value
 * @param actual actual value
 * @param advice advice for an intended change, or places to check
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Violation(String rule, String subject, String expected, String actual, String advice) {

    /** Returns what decided, such as {@code neuron0/neuron_core1 status/hw_error: expected unchanged, was +3}. */
    public String sentence() {
        return "%s: expected %s, was %s".formatted(subject, expected, actual).replaceAll("\\s*\\R\\s*", " ");
    }
}
