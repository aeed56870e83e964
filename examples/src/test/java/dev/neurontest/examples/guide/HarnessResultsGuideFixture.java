package dev.neurontest.examples.guide;

import dev.neurontest.NeuronTest;
import dev.neurontest.baseline.Comparisons;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.workload.Workloads;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Failures that docs/baselines.md and docs/from-nxdi.md show: failed requests, and a part of a model that was never called. */
@NeuronTest
class HarnessResultsGuideFixture {

    private static final String HARNESS =
            Path.of("src/test/python/harness_results.py").toAbsolutePath().toString();

    private static final Path RESULT = Path.of("target/bench-fixture.json").toAbsolutePath();

    @BeforeAll
    static void needsPython() {
        GuidePython.assume();
    }

    @Test
    void answersErrorsQuickly(NeuronCore core, Workloads workloads, Comparisons comparisons) {
        comparisons.samples(
                "3 %",
                () -> workloads
                        .command("python3", HARNESS, "vllm", RESULT.toString(), "12")
                        .run()
                        .samples("ttft", RESULT));
    }

    @Test
    void encodesNoImage(NeuronCore core, Workloads workloads, Comparisons comparisons) {
        comparisons.samples(
                "3 %",
                () -> workloads
                        .command("python3", HARNESS, "nxdi", RESULT.toString())
                        .run()
                        .samples("vision_encoder_model.latency_ms_p50", RESULT));
    }
}
