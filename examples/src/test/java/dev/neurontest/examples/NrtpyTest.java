package dev.neurontest.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.ExpectCounter;
import dev.neurontest.ExpectDeviceMemoryReturned;
import dev.neurontest.NeuronTest;
import dev.neurontest.baseline.Comparisons;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.workload.NeuronWorkload;
import dev.neurontest.workload.WorkloadResult;
import dev.neurontest.workload.Workloads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests for a kernel developer whose harness is in Python, with nrtpy. */
@NeuronTest
class NrtpyTest {

    private static final Path RESULT = Path.of("target/kernels/scale.json");

    @BeforeAll
    static void compile(NeuronHost host, Optional<FakeNeuronHost> fake) throws Exception {
        assumeTrue(Python.hasNumpy(), "no python3 with numpy on the PATH");
        CompiledKernels.compile(host, fake);
    }

    // tag::worker
    private static NeuronWorkload.Builder worker(Workloads workloads) {
        return workloads
                .command("python3", "src/test/python/nrtpy_worker.py", CompiledKernels.SCALE, RESULT.toString())
                .timeout(Duration.ofMinutes(1));
    }

    @Test
    @ExpectCounter(value = "inference_count", delta = 105)
    @ExpectDeviceMemoryReturned
    void givesRightOutputWhileItIsMeasured(NeuronCore core, Workloads workloads) {
        WorkloadResult result = worker(workloads).run();

        assertThat(result.stdout()).contains("y is right");
        assertThat(result.samples("latency", RESULT).expecting(100).median()).isPositive();
    }

    @Test
    void isNotSlowerThanItWas(NeuronCore core, Workloads workloads, Comparisons comparisons) {
        comparisons.samples(
                "3 %", () -> worker(workloads).run().samples("latency", RESULT).expecting(100));
    }
    // end::worker
}
