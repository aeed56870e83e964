package dev.neurontest.examples.guide;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import java.util.List;

/** A model from the driver's point of view: a process that opens cores, loads, executes and ends. */
record Model(FakeNeuronHost fake) {

    void infer(NeuronCore core, int times) {
        infer(List.of(core), times);
    }

    void infer(List<NeuronCore> cores, int times) {
        for (NeuronCore core : cores) {
            try (FakeProcess process = start(core)) {
                process.execute(core, times);
            }
        }
    }

    void fail(NeuronCore core, String status, int times) {
        try (FakeProcess process = start(core)) {
            process.execute(core, NrtStatus.of(status), times);
        }
    }

    /** Starts the model in a process that stays open until it is closed. */
    FakeProcess start(NeuronCore core) {
        FakeProcess process = fake.openProcess("python3", core);
        process.load(core, 48L << 20);
        process.allocate(core, "tensors", 3L << 20);
        return process;
    }
}
