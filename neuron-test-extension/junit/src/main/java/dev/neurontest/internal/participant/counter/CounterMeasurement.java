package dev.neurontest.internal.participant.counter;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.internal.judgement.Measurement;

/** The counter changes of a test, as its evidence. */
record CounterMeasurement(CounterDiff diff) implements Measurement {

    @Override
    public String kind() {
        return Measurement.COUNTERS;
    }

    @Override
    public String toText() {
        return diff.toText();
    }

    @Override
    public String toJson() {
        return diff.toJson();
    }

    @Override
    public boolean isEmpty() {
        return diff.isEmpty();
    }
}
