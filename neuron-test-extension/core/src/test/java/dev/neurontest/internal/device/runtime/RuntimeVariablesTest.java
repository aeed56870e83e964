package dev.neurontest.internal.device.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeVariablesTest {

    @TempDir
    Path root;

    private List<NeuronCore> cores;

    @BeforeEach
    void host() {
        cores = new HostFixture(root)
                .devices(HostFixture.Kind.TRN2, 0, 1)
                .host()
                .cores();
    }

    @Test
    void acceptCoresInAnyOrder() {
        // then
        assertThat(RuntimeVariables.visibleCores(List.of(cores.get(3)))).isEqualTo("3");
        assertThat(RuntimeVariables.visibleCores(List.of(cores.get(5), cores.get(4), cores.get(5))))
                .isEqualTo("4-5");
        assertThat(RuntimeVariables.visibleCores(List.of())).isEmpty();
    }

    @Test
    void refuseCoresThatAreNotInARow() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RuntimeVariables.visibleCores(List.of(cores.get(4), cores.get(0), cores.get(1))))
                .withMessage(
                        "The cores 0, 1, 4 are not in a row, and the runtime accepts one range of cores "
                                + "(NEURON_RT_VISIBLE_CORES=8-11). Request cores that are not scattered, or start one workload for each row.");
    }

    @Test
    void nameCoresAndLogicalCoreSize() {
        // then
        assertThat(RuntimeVariables.ofCores(cores.subList(2, 4)))
                .containsOnly(Map.entry("NEURON_RT_VISIBLE_CORES", "2-3"), Map.entry("NEURON_LOGICAL_NC_CONFIG", "2"));
        assertThat(RuntimeVariables.ofCores(List.of())).isEmpty();
    }
}
