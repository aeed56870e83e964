package dev.neurontest.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.Count;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.workload.NeuronWorkload;
import dev.neurontest.workload.WorkloadResult;
import dev.neurontest.workload.Workloads;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page docs/workloads.md. */
@NeuronTest
class WorkloadsGuideTest {

    // tag::environment
    @Test
    void namesTheCores(@Count(4) List<NeuronCore> cores, Workloads workloads) {
        NeuronWorkload program = workloads
                .command("sh", "-c", "echo runs on $NEURON_RT_VISIBLE_CORES")
                .timeout(Duration.ofSeconds(30))
                .start();
        program.await();

        assertThat(program.output())
                .contains("runs on " + cores.get(0).index() + "-" + cores.get(3).index());
    }
    // end::environment

    // tag::expected
    @Test
    void refusesAnEmptyBatch(NeuronCore core, Workloads workloads) {
        WorkloadResult refused = workloads
                .command("sh", "-c", "echo 'a batch of 0' >&2; exit 3")
                .expectExit(3)
                .run();

        assertThat(refused.stderr()).contains("a batch of 0");
    }
    // end::expected
}
