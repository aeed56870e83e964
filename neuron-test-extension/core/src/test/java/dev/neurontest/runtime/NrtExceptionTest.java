package dev.neurontest.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NrtExceptionTest {

    private static NrtException failure(String function, int status, String... log) {
        return new NrtException(
                function,
                "add.neff on neuron0/neuron_core1",
                RuntimeStatus.of(status),
                "2.31.24.0 (/opt/aws/neuron/lib/libnrt.so.1)",
                List.of(log));
    }

    @Test
    void reportsStatusAndPossibleCauses() {
        // then
        assertThat(failure("nrt_execute", 1006)).hasMessage("""
                        nrt_execute of add.neff on neuron0/neuron_core1 returned NRT_EXEC_OOB (1006): an access out of bounds. Possible causes: the kernel or model, or its inputs. Check the indices of the kernel and its inputs; NEURON_RT_DBG_DUMP_INPUTS_ON_ERR=1006 writes the inputs to files.
                          runtime: 2.31.24.0 (/opt/aws/neuron/lib/libnrt.so.1)""");
    }

    @Test
    void blamesHardwareForMemoryError() {
        // then
        assertThat(failure("nrt_execute", 1201))
                .hasMessageContaining("NRT_EXEC_HW_ERR_HBM_UE (1201)")
                .hasMessageContaining("Cause: hardware that needs to be replaced. Replace the instance");
    }

    @Test
    void advisesWhenModelIsRefused() {
        // then
        assertThat(failure("nrt_load", 2)).hasMessageContaining("size of logical cores (--lnc)");
    }

    @Test
    void keepsUnknownStatusNumber() {
        // when
        NrtException failure = failure("nrt_execute", 4711);

        // then
        assertThat(failure.status()).isEqualTo(RuntimeStatus.of(4711));
        assertThat(failure).hasMessageContaining("returned NRT_STATUS 4711: a status that is unknown to this version.");
    }

    @Test
    void showsLogOfRuntime() {
        // then
        assertThat(failure("nrt_init", 1, "ERROR first", "ERROR second"))
                .hasMessageContaining("\n  the runtime's log:\n    ERROR first\n    ERROR second\n  runtime: ")
                .hasMessageContaining("another process has the cores");
    }
}
