package dev.neurontest.examples;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;

import dev.neurontest.ExpectCounter;
import dev.neurontest.ExpectPrint;
import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.tensor.Tolerance;
import dev.neurontest.workload.WorkloadResult;
import dev.neurontest.workload.Workloads;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests for a kernel developer: one kernel in the simulator of NKI and on the device, with the same checks of its prints. */
@NeuronTest
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program uses a Unix socket")
class SimulatedKernelTest {

    // tag::used
    private static final String KERNEL = System.getProperty("examples.kernel", "src/test/python/nki_kernel.py");

    // end::used

    @BeforeAll
    static void needsPython() {
        PythonWorkloadTest.needsPython();
    }

    // tag::simulated
    @Test
    @ExpectPrint(prefix = "tile", count = 1)
    @ExpectPrint(prefix = "acc", count = 4, noNaN = true)
    void addsUpInSimulation(Workloads workloads, DevicePrints prints) {
        workloads.command("python3", KERNEL).simulated().run();

        addsUp(prints);
    }

    @Test
    @ExpectPrint(prefix = "tile", count = 1)
    @ExpectPrint(prefix = "acc", count = 4, noNaN = true)
    @ExpectCounter(value = "inference_count", delta = 1)
    void addsUpOnDevice(NeuronCore core, Workloads workloads, DevicePrints prints) {
        workloads.command("python3", KERNEL).run();

        addsUp(prints);
    }

    private static void addsUp(DevicePrints prints) {
        assertThat(prints).withPrefix("acc").tensor(3).hasShape(1, 16).hasValuesBetween(129, 133);
    }
    // end::simulated

    // tag::same
    @Test
    @ExpectPrint(prefix = "tile", count = 1)
    @ExpectPrint(prefix = "acc", count = 4)
    void printsTheSameOnDevice(NeuronCore core, Workloads workloads, DevicePrints prints) {
        WorkloadResult simulated =
                workloads.command("python3", KERNEL).simulated().run();
        workloads.command("python3", KERNEL).run();

        assertThat(prints).sameAs(simulated.prints("tile", "acc"), Tolerance.relative(1e-2));
    }
    // end::same
}
