package dev.neurontest.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoreRequestTest {

    @Test
    void describesRequestedCores() {
        // then
        assertThat(CoreRequest.any().description()).isEqualTo("1 core");
        assertThat(CoreRequest.inARow(2).description()).isEqualTo("2 cores in a row");
        assertThat(CoreRequest.exactly(3).description()).isEqualTo("core 3");
        assertThat(CoreRequest.exactly(5, 3).description()).isEqualTo("cores 5, 3");
        assertThat(CoreRequest.onOneDevice(2).description()).isEqualTo("2 cores in a row on one device");
        assertThat(CoreRequest.onConnectedDevices(4).description()).isEqualTo("4 cores in a row on connected devices");
        assertThat(CoreRequest.forCollectives(CoreRequest.inARow(8)).description())
                .isEqualTo("8 cores in a row from a multiple of 8");
        assertThat(CoreRequest.forCollectives(CoreRequest.onOneDevice(1)).description())
                .isEqualTo("1 core on one device");
        assertThat(CoreRequest.scattered(3).description()).isEqualTo("3 cores anywhere");
        assertThat(CoreRequest.anyDevice().description()).isEqualTo("a whole device");
        assertThat(CoreRequest.devices(3).description()).isEqualTo("device neuron3");
        assertThat(CoreRequest.devices(3, 0).description()).isEqualTo("devices neuron3, neuron0");
        assertThat(new LeaseRequest("test", List.of(CoreRequest.exactly(0), CoreRequest.inARow(2))).description())
                .isEqualTo("core 0, and 2 cores in a row");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void requiresAtLeastOneCoreOrDevice(int count) {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CoreRequest.inARow(count))
                .withMessage("a request is for at least 1 core, not " + count);
        assertThatIllegalArgumentException().isThrownBy(() -> CoreRequest.onOneDevice(count));
        assertThatIllegalArgumentException().isThrownBy(() -> CoreRequest.onConnectedDevices(count));
        assertThatIllegalArgumentException().isThrownBy(() -> CoreRequest.scattered(count));
        assertThatIllegalArgumentException().isThrownBy(() -> CoreRequest.exactly());
        assertThatIllegalArgumentException().isThrownBy(() -> CoreRequest.devices());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseRequest("test", List.of()))
                .withMessage("test requests an empty lease");
    }

    @Test
    void requiresCoresInARowForCollectives() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CoreRequest.forCollectives(CoreRequest.scattered(4)))
                .withMessage("cores for collectives are in a row, not 4 cores anywhere");
        assertThatIllegalArgumentException().isThrownBy(() -> CoreRequest.forCollectives(CoreRequest.exactly(0, 1)));
    }

    @Test
    void refusesDuplicateAndNegativeIndices() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CoreRequest.exactly(1, 2, 1))
                .withMessage("a request names an index once: [1, 2, 1]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CoreRequest.devices(0, -1))
                .withMessage("an index is at least 0: [0, -1]");
    }

    @Test
    void copiesListOfCores() {
        // given
        List<CoreRequest> cores = new ArrayList<>(List.of(CoreRequest.any()));
        LeaseRequest request = new LeaseRequest("test", cores);

        // when
        cores.clear();

        // then
        assertThat(request.cores()).containsExactly(CoreRequest.any());
    }
}
