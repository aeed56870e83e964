package dev.neurontest.examples.guide;

import dev.neurontest.NeuronIndex;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.workload.Workloads;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Failures that docs/workloads.md shows. */
@NeuronTest
class WorkloadsGuideFixture {

    @Test
    void reachesOutOfBounds(@NeuronIndex(0) NeuronCore core, Workloads workloads) {
        workloads
                .command("sh", "-c", "echo 'nrt_execute: status=NRT_EXEC_OOB' >&2; exit 1")
                .run();
    }

    @Test
    void takesTooLong(@NeuronIndex(1) NeuronCore core, Workloads workloads) {
        workloads
                .command("sh", "-c", "echo loading; sleep 60")
                .timeout(Duration.ofMillis(300))
                .run();
    }

    @Test
    void leavesItRunning(@NeuronIndex(0) NeuronCore core, Workloads workloads) {
        workloads.command("sh", "-c", "sleep 60").start();
    }
}
