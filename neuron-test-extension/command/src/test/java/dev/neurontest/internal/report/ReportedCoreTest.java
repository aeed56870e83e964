package dev.neurontest.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportedCoreTest {

    private static final String PAIR = "core 5 (neuron10/neuron_core2, neuron10/neuron_core3)";

    @Test
    void nameInRunFileTellsHostOfCluster() {
        assertThat(ReportedCore.of("vm", "neuron1/neuron_core0"))
                .isEqualTo(new ReportedCore("vm", "neuron1/neuron_core0"));
        assertThat(ReportedCore.of("vm", "n1:neuron1/neuron_core0"))
                .isEqualTo(new ReportedCore("n1", "neuron1/neuron_core0"));
        assertThat(ReportedCore.of("vm", "fe80::1:" + PAIR)).isEqualTo(new ReportedCore("fe80::1", PAIR));
    }

    @Test
    void logicalCoreHasDeviceAndPhysicalCores() {
        ReportedCore core = ReportedCore.of("vm", "n1:" + PAIR);

        assertThat(core.device()).isEqualTo("neuron10");
        assertThat(core.shortName()).isEqualTo("core 5 (neuron10)");
        assertThat(core.places())
                .containsExactly(
                        new ReportedCore("n1", "neuron10/neuron_core2"),
                        new ReportedCore("n1", "neuron10/neuron_core3"));
    }

    @Test
    void coresAreOrderedByHostAndNumber() {
        List<ReportedCore> inOrder = List.of(
                new ReportedCore("n1", "neuron2"),
                new ReportedCore("n1", "neuron2/neuron_core0"),
                new ReportedCore("n1", PAIR),
                new ReportedCore("n2", "neuron0/neuron_core0"));
        List<ReportedCore> shuffled = new ArrayList<>(inOrder);
        Collections.reverse(shuffled);

        assertThat(shuffled.stream().sorted(ReportedCore.BY_NUMBER)).containsExactlyElementsOf(inOrder);
    }
}
