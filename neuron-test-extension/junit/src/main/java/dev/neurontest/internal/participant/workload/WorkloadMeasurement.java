package dev.neurontest.internal.participant.workload;

import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.workload.WorkloadResult;

/** The result of a workload, as the evidence of its test. */
record WorkloadMeasurement(WorkloadResult result) implements Measurement {

    @Override
    public String kind() {
        return Measurement.WORKLOAD;
    }

    @Override
    public String subject() {
        return result.name();
    }

    @Override
    public String toText() {
        return result.toText();
    }

    @Override
    public String toJson() {
        return result.toJson();
    }
}
