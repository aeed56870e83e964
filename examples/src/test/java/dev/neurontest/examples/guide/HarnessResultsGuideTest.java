package dev.neurontest.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.NeuronTest;
import dev.neurontest.baseline.Comparisons;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.workload.WorkloadResult;
import dev.neurontest.workload.Workloads;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The results of other harnesses on the page docs/baselines.md. */
@NeuronTest
class HarnessResultsGuideTest {

    // tag::used
    private static final String HARNESS =
            Path.of("src/test/python/harness_results.py").toAbsolutePath().toString();

    private static final Path RESULT = Path.of("target/bench.json").toAbsolutePath();
    // end::used

    @BeforeAll
    static void needsPython() {
        GuidePython.assume();
    }

    // tag::compared
    @Test
    void answersAsFastAsBefore(NeuronCore core, Workloads workloads, Comparisons comparisons) {
        comparisons.samples(
                "3 %",
                () -> workloads
                        .command("python3", HARNESS, "vllm", RESULT.toString()) // for vllm bench serve --save-result
                        .run()
                        .samples("ttft", RESULT));
    }
    // end::compared

    // tag::limit
    @Test
    void answersInTime(NeuronCore core, Workloads workloads, Comparisons comparisons) {
        WorkloadResult bench =
                workloads.command("python3", HARNESS, "vllm", RESULT.toString()).run();

        comparisons.percentile(99, "60 ms", bench.samples("ttft", RESULT)); // needs the value of each request
        assertThat(bench.samples("output_throughput", RESULT).median()).isGreaterThan(600); // tokens/s
    }
    // end::limit

    // tag::printed
    @Test
    void decodesInTime(NeuronCore core, Workloads workloads) {
        WorkloadResult program = workloads.command("python3", HARNESS, "print").run();

        assertThat(program.samples("decode").median()).isLessThan(0.0015); // seconds
    }
    // end::printed
}
