package dev.neurontest.examples;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import java.util.List;

/** A workload that scripts a fake host with the effects of a model on the driver. */
record ScriptedWorkload(FakeNeuronHost fake) implements Workload {

    private static final long MODEL_BYTES = 48L << 20;
    private static final long TENSOR_BYTES = 3L << 20;

    @Override
    public void infer(List<NeuronCore> cores, int times) {
        run(cores, NrtStatus.of("NRT_SUCCESS"), times);
    }

    @Override
    public void reachOutOfBounds(NeuronCore core) {
        run(List.of(core), NrtStatus.of("NRT_EXEC_OOB"), 1);
    }

    private void run(List<NeuronCore> cores, NrtStatus status, int times) {
        try (FakeProcess process = fake.openProcess("python3", cores)) {
            for (FakeCore core : process.cores()) {
                process.load(core, MODEL_BYTES);
                process.allocate(core, "tensors", TENSOR_BYTES);
                process.execute(core, status, times);
            }
        }
    }
}
