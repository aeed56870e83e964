package dev.neurontest.examples;

import dev.neurontest.Count;
import dev.neurontest.ExpectCounter;
import dev.neurontest.ExpectDeviceMemoryReturned;
import dev.neurontest.ExpectPeakMemory;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests for a model team: the model answers without errors and frees its memory. */
@NeuronTest
@ExpectDeviceMemoryReturned(tolerance = "64 KiB")
class ModelRegressionTest {

    private final Workload model;

    ModelRegressionTest(NeuronHost host, Optional<FakeNeuronHost> fake) {
        model = Workload.on(host, fake);
    }

    @Test
    @ExpectCounter(value = "inference_count", delta = 100)
    void answersAHundredTimes(NeuronCore core) {
        model.infer(List.of(core), 100);
    }

    @Test
    @ExpectPeakMemory(category = "device_mem/tensors", atMost = "16 MiB", clearFirst = true)
    void fitsIntoItsMemory(NeuronCore core) {
        model.infer(List.of(core), 1);
    }

    @Test
    @ExpectCounter(value = "inference_count", delta = 10, each = true)
    void runsOnTwoCoresInARow(@Count(2) List<NeuronCore> cores) {
        model.infer(cores, 10);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 64})
    @ExpectCounter(value = "model_load_count", delta = 1)
    void loadsOnceForEachBatch(int batch, NeuronCore core) {
        model.infer(List.of(core), batch);
    }
}
