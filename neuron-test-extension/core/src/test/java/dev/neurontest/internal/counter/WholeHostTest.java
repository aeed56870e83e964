package dev.neurontest.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.Counter;
import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterField;
import dev.neurontest.counter.CounterPlace;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import dev.neurontest.internal.platform.InProcessFixture;
import java.math.BigInteger;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests of the output for all counters of a host. */
class WholeHostTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Counter TIMEOUT = new Counter(CounterPlace.ofCore(0, 1), "status/timeout", CounterField.TOTAL);

    @Test
    void snapshotNamesHostInstanceAndDriver() {
        try (FakeNeuronHost fake = FakeNeuronHost.builder()
                .instance("trn1.2xlarge")
                .layout("driver-2.30")
                .start()) {
            // given
            NeuronHost host = NeuronHost.discover(InProcessFixture.tree(fake));
            SavedSnapshot before = SavedSnapshot.of(host, NOON);

            // when
            try (FakeProcess process = fake.openProcess(fake.device(0).core(1))) {
                process.execute(fake.device(0).core(1), NrtStatus.NRT_TIMEOUT, 3);
            }
            SavedSnapshot after = SavedSnapshot.of(host, NOON.plusSeconds(60));

            // then
            assertThat(before.host()).isEqualTo("fake:trn1.2xlarge@driver-2.30");
            assertThat(before.instance()).isEqualTo("trn1.2xlarge");
            assertThat(before.driver()).startsWith("2.");
            assertThat(before.taken()).isEqualTo(NOON);
            assertThat(before.unreadable()).isEmpty();
            assertThat(before.values()).containsEntry(TIMEOUT, BigInteger.ZERO);
            assertThat(after.values()).containsEntry(TIMEOUT, BigInteger.valueOf(3));
            assertThat(before.until(after))
                    .extracting(CounterChange::subject)
                    .contains("neuron0/neuron_core1 status/timeout")
                    .noneMatch(subject -> subject.contains("neuron_core0"));
        }
    }

    @Test
    void censusCountsKindsOnceForEqualCores() {
        // given
        CounterScope scope =
                ScopeFixture.over(TreeFixture.host(1, 2), CounterPlace.ofCore(0, 0), CounterPlace.ofCore(0, 1));

        // then
        assertThat(scope.census())
                .containsExactly(
                        "on each core: 24 status, 4 execution, 2 reset, 6 memory counters",
                        "on each device: 4 memory, 4 ECC counters");
        assertThat(scope.cores()).containsExactly("neuron0/neuron_core0", "neuron0/neuron_core1");
    }

    @Test
    void censusListsDifferingCoresSeparately() {
        // given
        TreeFixture tree = TreeFixture.host(1, 3).remove(TreeFixture.DEVICES + "neuron0/neuron_core1/stats/status");

        // when
        CounterScope scope = ScopeFixture.over(
                tree, CounterPlace.ofCore(0, 0), CounterPlace.ofCore(0, 1), CounterPlace.ofCore(0, 2));

        // then
        assertThat(scope.census())
                .startsWith(
                        "on 2 of the cores, first neuron0/neuron_core0: 24 status, 4 execution, 2 reset, 6 memory counters",
                        "on 1 of the cores, first neuron0/neuron_core1: 0 status, 4 execution, 2 reset, 6 memory counters");
    }
}
