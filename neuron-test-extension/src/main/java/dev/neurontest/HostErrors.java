package dev.neurontest;

import dev.neurontest.counter.CounterScope;
import dev.neurontest.evidence.JsonObject;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.RunFile;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The error counters of the whole host, at the beginning and at the end of what this JVM does on it: what moves between tests, or on
 * devices that no test has, is nobody's otherwise.
 */
record HostErrors(TestHost host, RunFile runFile) {

    void told(String moment) {
        try {
            CounterScope whole = host.counters().wholeHost();
            List<String> doubts = whole.doubts();
            if (!doubts.isEmpty()) {
                missing(moment, doubts.get(0));
            } else {
                runFile.append(new RunEvent.HostErrors(moment, json(whole.take().errors())));
            }
        } catch (RuntimeException unreadable) {
            missing(moment, String.valueOf(unreadable.getMessage()));
        }
    }

    /** The report sees that none were read. */
    private void missing(String moment, String reason) {
        runFile.append(new RunEvent.HostErrors(moment, new JsonObject("{}")));
        runFile.append(new RunEvent.Noticed(
                null,
                "The error counters of the host could not be read at the %s of the run, so whether they moved is not known: %s"
                        .formatted(moment, reason)));
    }

    /** Names of places and counters have nothing to escape. */
    private static JsonObject json(Map<String, BigInteger> errors) {
        return new JsonObject(errors.entrySet().stream()
                .map(error -> "\"%s\":%s".formatted(error.getKey(), error.getValue()))
                .collect(Collectors.joining(",", "{", "}")));
    }
}
