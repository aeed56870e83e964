package dev.neurontest.internal.participant.output;

import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.output.CollectedOutputs;
import dev.neurontest.internal.output.OutputJson;
import dev.neurontest.internal.output.OutputText;

/** The outputs of a test, as its evidence. */
record OutputMeasurement(CollectedOutputs outputs) implements Measurement {

    @Override
    public String kind() {
        return Measurement.OUTPUTS;
    }

    @Override
    public String toText() {
        return OutputText.of(outputs);
    }

    @Override
    public String toJson() {
        return OutputJson.of(outputs);
    }

    @Override
    public boolean isEmpty() {
        return outputs.isEmpty();
    }
}
