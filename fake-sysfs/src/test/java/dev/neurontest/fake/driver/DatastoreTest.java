package dev.neurontest.fake.driver;

import static dev.neurontest.fake.driver.DriverFixture.fields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatastoreTest {

    @Nested
    class UpToDriver229 {

        private final DriverFixture host = DriverFixture.deferred("trn1.32xlarge");
        private final Core core = host.core(3, 1);
        private final Counter timeouts = core.counter(ExecutionCounter.TIMEOUT);

        @Test
        void nothingMovesWhileTheProcessRuns() {
            RuntimeProcess process = host.open(core);

            // when
            process.count(core, ExecutionCounter.TIMEOUT, 3);

            // then
            assertThat(fields(timeouts)).isEqualTo("0/0/0");
        }

        @ParameterizedTest(name = "killed: {0}")
        @ValueSource(booleans = {false, true})
        void everythingIsAddedWhenItEnds(boolean killed) {
            // given
            RuntimeProcess first = host.open(core);
            first.count(core, ExecutionCounter.TIMEOUT, 3);
            first.end(killed);
            RuntimeProcess second = host.open(core);
            second.count(core, ExecutionCounter.TIMEOUT, 2);
            second.count(core, ExecutionCounter.TIMEOUT, 2);

            // when
            second.end(killed);

            // then: total adds up, present is what was added last
            assertThat(fields(timeouts)).isEqualTo("7/4/7");
        }

        @Test
        void presentIsLeftOverFromAnOlderProcessWhereNothingWasCounted() {
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
        void multiplyAccumulatesShowAsTwiceAsManyOperations() {
            RuntimeProcess process = host.open(core);
            process.count(core, ExecutionCounter.FLOP_COUNT, 21);

            // when
            process.end(false);

            // then
            assertThat(fields(core.counter(ExecutionCounter.FLOP_COUNT))).isEqualTo("42/42/42");
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

        @Test
        void eachDeviceGetsWhatWasCountedOnIt() {
            Core other = host.core(4, 0);
            RuntimeProcess process = host.open(core, other);
            process.count(core, ExecutionCounter.SUCCESS, 1);
            process.count(other, ExecutionCounter.SUCCESS, 2);

            // when
            process.end(false);

            // then
            assertThat(core.counter(ExecutionCounter.SUCCESS).read(Field.TOTAL)).isEqualTo(1);
            assertThat(other.counter(ExecutionCounter.SUCCESS).read(Field.TOTAL))
                    .isEqualTo(2);
            assertThat(host.core(4, 1).counter(ExecutionCounter.SUCCESS).read(Field.TOTAL))
                    .isZero();
        }
    }

    @Nested
    class FromDriver230 {

        private final DriverFixture host = DriverFixture.live("trn2.3xlarge");
        private final Core core = host.core(0, 1);
        private final Counter timeouts = core.counter(ExecutionCounter.TIMEOUT);

        @Test
        void totalAndPresentShowTheSumAtOnce() {
            RuntimeProcess process = host.open(core);
            process.count(core, ExecutionCounter.TIMEOUT, 3);

            // when
            process.count(core, ExecutionCounter.TIMEOUT, 1);

            // then
            assertThat(timeouts.read(Field.TOTAL)).isEqualTo(4);
            assertThat(timeouts.read(Field.PRESENT)).isEqualTo(4);
        }

        @Test
        void whatEndedProcessesCountedStays() {
            // given
            for (int i = 0; i < 40; i++) {
                RuntimeProcess process = host.open(core);
                process.count(core, ExecutionCounter.TIMEOUT, 1);
                process.end(i % 2 == 0);
            }

            // when
            host.open(core).count(core, ExecutionCounter.TIMEOUT, 2);

            // then
            assertThat(timeouts.read(Field.TOTAL)).isEqualTo(42);
        }

        @Test
        void writeOfTotalClearsTheEntryOfARunningProcessToo() {
            // given
            RuntimeProcess other = host.open(host.core(0, 0));
            RuntimeProcess process = host.open(core);
            process.count(core, ExecutionCounter.TIMEOUT, 3);
            other.count(host.core(0, 0), ExecutionCounter.TIMEOUT, 5);

            // when
            timeouts.clear(Field.TOTAL);
            process.count(core, ExecutionCounter.TIMEOUT, 1);

            // then
            assertThat(timeouts.read(Field.TOTAL)).isEqualTo(1);
            assertThat(host.core(0, 0).counter(ExecutionCounter.TIMEOUT).read(Field.TOTAL))
                    .isEqualTo(5);
        }

        @Test
        void writeOfPresentDoesNothing() {
            host.open(core).count(core, ExecutionCounter.TIMEOUT, 3);

            // when
            timeouts.clear(Field.PRESENT);

            // then
            assertThat(timeouts.read(Field.PRESENT)).isEqualTo(3);
        }

        @Test
        void multiplyAccumulatesShowAsTwiceAsManyOperations() {
            host.open(core).count(core, ExecutionCounter.FLOP_COUNT, 21);

            assertThat(core.counter(ExecutionCounter.FLOP_COUNT).read(Field.TOTAL))
                    .isEqualTo(42);
        }
    }

    @Test
    void sixteenProcessesCanHaveOneDeviceOpen() {
        // given
        DriverFixture host = DriverFixture.live("trn2.3xlarge");
        Device device = host.driver.devices().get(0);
        for (int i = 0; i < 16; i++) {
            device.open(new RuntimeProcess(host.driver, i, Optional.empty(), "monitor", List.of()));
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

        @Override
        public void registersChanged(Device device) {}

        @Override
        public void devicesChanged() {}

        @Override
        public void processOpened() {}

        @Override
        public void processEnded() {}
    }
}
