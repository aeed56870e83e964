package dev.neurontest.internal.judgement;

import org.apiguardian.api.API;

/**
 * A demand that was not met.
 *
 * @param rule the demand in the user's words, such as {@code @ExpectCounter("inference_count", delta = 100)}
 * @param subject what was looked at, such as {@code neuron0/neuron_core1 status/hw_error}
 * @param expected what would have been right
 * @param actual what was there
 * @param advice what to do if that was intended, or where to look
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Violation(String rule, String subject, String expected, String actual, String advice) {}
