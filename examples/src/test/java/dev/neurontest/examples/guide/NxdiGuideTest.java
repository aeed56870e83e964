package dev.neurontest.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.Count;
import dev.neurontest.NeuronTest;
import dev.neurontest.baseline.Comparisons;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.workload.WorkloadResult;
import dev.neurontest.workload.Workloads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that the page for users of NxDI shows. */
@NeuronTest
class NxdiGuideTest {

    // tag::used
    private static final List<String> DEMO = List.of(
            "python3",
            Path.of("src/test/python/harness_results.py").toAbsolutePath().toString(),
            "nxdi");

    private static final Path REPORT = Path.of("target/benchmark_report.json").toAbsolutePath();

    /** Runs the stand-in for inference_demo run … --benchmark --benchmark-report-path FILE. */
    private static WorkloadResult demo(Workloads workloads) {
        return workloads
                .command(DEMO.get(0), DEMO.get(1), DEMO.get(2), REPORT.toString())
                .timeout(Duration.ofMinutes(30))
                .run();
    }
    // end::used

    @BeforeAll
    static void needsPython() {
        GuidePython.assume();
    }

    // tag::compared
    @Test
    void generatesTokensAsFastAsBefore(@Count(2) List<NeuronCore> cores, Workloads workloads, Comparisons comparisons) {
        comparisons.samples("3 %", () -> demo(workloads).samples("token_generation_model.latency_ms_p50", REPORT));
    }
    // end::compared

    // tag::limit
    @Test
    void encodesItsContextInTime(@Count(2) List<NeuronCore> cores, Workloads workloads) {
        WorkloadResult result = demo(workloads);

        assertThat(result.samples("context_encoding_model.latency_ms_avg", REPORT)
                        .median())
                .isLessThan(0.080); // seconds
    }
    // end::limit
}
