package dev.neurontest.internal.export;

import org.apiguardian.api.API;

/**
 * The result of publishing the numbers of a run.
 *
 * @param target the destination, without secrets
 * @param done true if the numbers were received
 * @param details a description of the sent numbers, or the reason of the failure
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record PublishResult(String target, boolean done, String details) {

    /** Returns one line for a person, such as {@code published to otlp http://collector:4318/v1/metrics: 12 numbers}. */
    @Override
    public String toString() {
        return "%s %s: %s".formatted(done ? "published to" : "NOT published to", target, details);
    }
}
