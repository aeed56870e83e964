package dev.neurontest.internal.export;

import org.apiguardian.api.API;

/**
 * What became of sending the numbers of a run somewhere.
 *
 * @param target where, without secrets
 * @param done whether they are there
 * @param told what was sent, or why not
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record PublishResult(String target, boolean done, String told) {

    /**
     * One line for a person.
     *
     * @return such as {@code published to otlp http://collector:4318/v1/metrics: 12 numbers}
     */
    @Override
    public String toString() {
        return "%s %s: %s".formatted(done ? "published to" : "NOT published to", target, told);
    }
}
