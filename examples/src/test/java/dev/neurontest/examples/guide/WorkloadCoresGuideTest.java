package dev.neurontest.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.Count;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.workload.WorkloadResult;
import dev.neurontest.workload.Workloads;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The cores of programs in docs/workloads.md. */
// tag::cores
@NeuronTest
class WorkloadCoresGuideTest {

    @BeforeAll
    static void startTheServer(@Count(2) List<NeuronCore> cores, Workloads workloads) { // such as 0 and 1
        workloads
                .command("sh", "-c", "echo ready; exec sleep 60")
                .readyWhenPrinted("ready")
                .start()
                .awaitReady();
    }

    @Test
    void worksOnCoresOfItsOwn(@Count(2) List<NeuronCore> cores, Workloads workloads) { // such as 2 and 3
        WorkloadResult worker =
                workloads.command("sh", "-c", "echo $NEURON_RT_VISIBLE_CORES").run();

        assertThat(worker.stdout().strip())
                .isEqualTo(cores.get(0).index() + "-" + cores.get(1).index());
    }

    @Test
    void choosesOneOfItsCores(@Count(2) List<NeuronCore> cores, Workloads workloads) {
        WorkloadResult worker = workloads
                .command("sh", "-c", "echo $NEURON_RT_VISIBLE_CORES")
                .on(cores.get(1))
                .run();

        assertThat(worker.stdout().strip())
                .isEqualTo(String.valueOf(cores.get(1).index()));
    }
}
// end::cores
