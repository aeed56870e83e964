package dev.neurontest;

import dev.neurontest.evidence.JsonObject;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.RunFile;
import java.math.BigInteger;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The error counters of the whole host, at the beginning and at the end of what this JVM does on it: what moves between tests, or on
 * devices that no test has, is nobody's otherwise.
 */
record HostErrors(TestHost host, RunFile runFile) {

    void told(String moment) {
        try {
            runFile.append(new RunEvent.HostErrors(
                    moment, json(host.counters().wholeHost().take().errors())));
        } catch (RuntimeException unreadable) {
            // Whoever merges sees that they are missing.
            runFile.append(new RunEvent.HostErrors(moment, new JsonObject("{}")));
            runFile.append(new RunEvent.Noticed(
                    null,
                    "The error counters of the host could not be read at the %s of the run, so that nobody can say whether they moved: %s"
                            .formatted(moment, unreadable.getMessage())));
        }
    }

    /** Names of places and counters have nothing to escape. */
    private static JsonObject json(Map<String, BigInteger> errors) {
        return new JsonObject(errors.entrySet().stream()
                .map(error -> "\"%s\":%s".formatted(error.getKey(), error.getValue()))
                .collect(Collectors.joining(",", "{", "}")));
    }
}
