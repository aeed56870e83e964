package dev.neurontest.internal.participant.counter;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.internal.counter.ParsedCounters;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Measurement;
import java.util.Optional;

/**
 * The counter changes of a test, as its evidence.
 *
 * @param host the name of the host of a cluster; empty for the host of this JVM
 */
record CounterMeasurement(CounterDiff diff, Optional<String> host) implements Measurement {

    @Override
    public String kind() {
        return Measurement.COUNTERS;
    }

    @Override
    public String subject() {
        return host.orElse("");
    }

    @Override
    public String toText() {
        return diff.toText();
    }

    @Override
    public String toJson() {
        String json = diff.toJson();
        return host.isEmpty() ? json : "{\"cluster\": true, " + json.substring(1);
    }

    /** Returns the JSON object without parsing it: most tests have this measurement only, and need no parser. */
    @Override
    public JsonObject toObject() {
        return host.isEmpty() ? JsonObject.of(ParsedCounters.of(diff)) : Measurement.super.toObject();
    }

    @Override
    public boolean isEmpty() {
        return diff.isEmpty();
    }
}
