package dev.neurontest.fake.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DatastoreTest {

    @Nested
    class UpToDriver229 {

        private final DriverFixture host = DriverFixture.deferred("trn1.32xlarge");
        private final Core core = host.core(3, 1);
        private final Counter timeouts = core.counter(ExecutionCounter.TIMEOUT);

        @Test
        void presentKeepsOlderValueWhenNothingIsCounted() {
            // given
            RuntimeProcess first = host.open(core);
            first.count(core, ExecutionCounter.TIMEOUT, 3);
            first.end(false);

            // when
            host.open(core).end(false);

            // then
            assertThat(timeouts.read(Field.PRESENT)).isEqualTo(3);
        }

        @Test
        void countersAreAddedBeforeMemoryIsFreed() {
            RuntimeProcess process = host.open(core);
            process.count(core, ExecutionCounter.SUCCESS, 1);
            process.allocate(core, DeviceCategory.TENSORS, 4096);
            List<String> order = new ArrayList<>();
            host.driver.addListener(new Recording(order));

            // when
            process.end(true);

            // then
            assertThat(order)
                    .containsExactly(
                            "neuron3/neuron_core1 success",
                            "neuron3/neuron_core1 device_mem/tensors",
                            "neuron3/neuron_core1 device_mem");
        }
    }

    @Test
    void atMostSixteenProcessesOpenOneDevice() {
        // given
        DriverFixture host = DriverFixture.live("trn2.3xlarge");
        Device device = host.driver.devices().get(0);
        for (int i = 0; i < 16; i++) {
            device.open(new RuntimeProcess(host.driver, i, Optional.empty(), "monitor", List.of(), 1));
        }

        // then
        assertThatThrownBy(() -> host.open(host.core(0, 0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("neuron0")
                .hasMessageContaining("EBUSY");
    }

    private record Recording(List<String> counters) implements ChangeListener {

        @Override
        public void counterChanged(Counter counter) {
            counters.add(counter.toString());
        }
    }
}
