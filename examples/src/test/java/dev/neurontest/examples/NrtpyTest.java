package dev.neurontest.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.ExpectCounter;
import dev.neurontest.ExpectDeviceMemoryReturned;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.workload.WorkloadResult;
import dev.neurontest.workload.Workloads;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests for a kernel developer whose harness is in Python, with nrtpy. */
@NeuronTest
class NrtpyTest {

    @BeforeAll
    static void compile(NeuronHost host, Optional<FakeNeuronHost> fake) throws Exception {
        assumeTrue(Python.hasNumpy(), "no python3 with numpy on the PATH");
        CompiledKernels.compile(host, fake);
    }

    // tag::worker
    @Test
    @ExpectCounter(value = "inference_count", delta = 105)
    @ExpectDeviceMemoryReturned
    void givesRightOutputWhileItIsMeasured(NeuronCore core, Workloads workloads) {
        WorkloadResult worker = workloads
                .command(
                        "python3",
                        "src/test/python/nrtpy_worker.py",
                        CompiledKernels.SCALE,
                        "target/kernels/scale.json")
                .timeout(Duration.ofMinutes(1))
                .run();

        assertThat(worker.stdout()).contains("100 executions", "y is right");
    }
    // end::worker
}
