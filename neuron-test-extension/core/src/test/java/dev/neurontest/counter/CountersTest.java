package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.device.LogicalCoreSize;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.counter.ConcurrentUsers;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.counter.tree.TreeFixture;
import dev.neurontest.internal.judgement.Judgement;
import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountersTest {

    private final TreeFixture tree = TreeFixture.host(2, 2);
    private final NeuronHost host = NeuronHost.discover(tree);
    private final CounterScopes scopes = new CounterScopes(host);

    @Test
    void reportChangesDuringBody() {
        // given
        Counters counters = of(1);

        // when
        CounterDiff diff = counters.during(() -> tree.count("neuron0/neuron_core1 status/success", 3));

        // then
        assertThat(diff.moved()).singleElement().hasToString("neuron0/neuron_core1 status/success +3");
        assertThat(diff.cores()).containsExactly("neuron0/neuron_core1");
    }

    @Test
    void rethrowExceptionOfBody() {
        // given
        Counters counters = of(1);
        Counters.Body<FileNotFoundException> body = () -> {
            throw new FileNotFoundException("no model");
        };

        // when, then
        assertThatThrownBy(() -> counters.during(body))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessage("no model");
    }

    @Test
    void readLeasedCoresAndWatchOthersOfDevice() {
        // given
        Counters counters = of(1);

        // when
        CounterDiff diff = counters.during(() ->
                tree.count("neuron0/neuron_core0 status/success", 1).count("neuron1/neuron_core0 status/success", 1));

        // then
        assertThat(diff.moved()).isEmpty();
        assertThat(diff.foreign()).singleElement().hasToString("neuron0/neuron_core0 status/success +1");
    }

    @Test
    void readAnotherCoreOnRequest() {
        // when
        CounterDiff diff =
                of(1).of(host.cores().get(2)).during(() -> tree.count("neuron1/neuron_core0 status/success", 1));

        // then
        assertThat(diff.moved()).singleElement().hasToString("neuron1/neuron_core0 status/success +1");
    }

    @Test
    void readWholeHostOnRequest() {
        // when
        CounterDiff diff = of(1).wholeHost()
                .during(() -> tree.count("neuron0/neuron_core0 status/success", 1)
                        .count("neuron1/neuron_core0 status/success", 1)
                        .put("neuron1 hardware/mem_ecc_uncorrected", "1\n"));

        // then
        assertThat(diff.moved()).hasSize(3);
        assertThat(diff.foreign()).isEmpty();
        assertThat(diff.counter("success").delta()).isEqualTo(2);
    }

    @Test
    void takeSnapshotsThatCanBeCompared() {
        // given
        Counters counters = of(1);
        CounterSnapshot before = counters.snapshot();

        // when
        tree.count("neuron0/neuron_core1 status/success", 3);

        // then
        assertThat(before.until(counters.snapshot()).counter("success").delta()).isEqualTo(3);
    }

    @Test
    void narrowToACore() {
        // given
        NeuronCore core = host.cores().get(0);

        // when
        CounterDiff diff = of(0, 1).during(() ->
                tree.count("neuron0/neuron_core0 status/success", 1).count("neuron0/neuron_core1 status/success", 2));

        // then
        assertThat(diff.onCore(core).counter("success").delta()).isEqualTo(1);
        CounterExpectations rules = CounterExpectations.builder()
                .expect(CounterDeltaExpectation.by("success", 1).onEach())
                .build();
        assertThat(rules.onEachOf(List.of(core)).judge(diff)).isEqualTo(Judgement.NOTHING);
        assertThat(rules.onEachOf(List.of(core, host.cores().get(1)))
                        .judge(diff)
                        .violations())
                .hasSize(1);
        assertThatThrownBy(() -> diff.onCore(host.cores().get(2))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void explainMissingCore() {
        // given
        Counters none = of();

        // when, then
        assertThatThrownBy(none::snapshot)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "This test holds no core, so it has no counters. Request a NeuronCore, or use counters.of(core) or counters.wholeHost().");
        assertThat(none.wholeHost().snapshot().value("success")).isZero();
    }

    @Test
    void readPhysicalCoresOfLogicalCore() {
        // given
        TreeFixture trn2 = TreeFixture.pairedHost();
        NeuronHost paired = NeuronHost.discover(trn2, LogicalCoreSize.TWO);
        NeuronCore core = paired.cores().get(1);
        Counters counters = Counters.over(new CounterScopes(paired), List.of(core), SettleOptions.IN_PROCESS);

        // when
        CounterDiff diff = counters.during(() -> core.physicalCores()
                .forEach(physical -> trn2.count(physical + " other_info/inference_count", 50)
                        .count(physical + " memory_usage/device_mem", 4096)));

        // then
        assertThat(diff.counter("inference_count")).hasToString(core.name() + " other_info/inference_count +50");
        assertThat(diff.counter("device_mem").delta()).isEqualTo(8192);
        assertThat(diff.moved()).hasSize(4);
        assertThat(diff.foreign()).isEmpty();
    }

    @Test
    void nameProcessThatDefersCountsOnOldDriver() {
        // given
        tree.set("sys/module/neuron/version", "2.24.7.0\n")
                .set("dev/neuron0", "")
                .set("dev/neuron1", "")
                .set("proc/4711/comm", "python3\n")
                .set("proc/4711/fd/7", "")
                .set("link:proc/4711/fd/7", "/dev/neuron0");
        NeuronHost older = NeuronHost.discover(tree);
        Counters counters =
                Counters.over(new CounterScopes(older), older.cores().subList(0, 1), SettleOptions.IN_PROCESS);

        // when
        CounterDiff diff = counters.during(() -> {});

        // then
        assertThat(diff.deferredBy())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .startsWith("This host (driver 2.24.7.0) counts")
                        .contains("neuron0 is still held by python3 (pid 4711)."));
    }

    @Test
    void reuseScopeOfSameCores() {
        // when, then
        assertThat(scopes.of(host.cores().subList(0, 1)))
                .isSameAs(scopes.of(List.of(host.cores().get(0))))
                .isNotSameAs(scopes.of(host.cores().subList(0, 2)));
    }

    @Test
    void rereadIncompleteTree() {
        // given a device that is announced before its attributes are there
        String stats = TreeFixture.DEVICES + "neuron0/neuron_core1/stats";
        tree.remove(stats);
        List<NeuronCore> core = List.of(host.cores().get(1));
        assertThatThrownBy(() -> CounterSnapshot.of(scopes.of(core)).value("success"))
                .isInstanceOf(CounterNameException.class);

        // when
        tree.counter(stats + "/status/success", false);

        // then
        assertThat(CounterSnapshot.of(scopes.of(core)).value("success")).isZero();
    }

    @Test
    void readHostMemoryOfCoreAndDevice() {
        // given
        tree.count("neuron0/neuron_core1 memory_usage/host_mem", 266240)
                .count("neuron0 memory_usage/host_mem/tensors", 4096);

        // when
        CounterSnapshot snapshot = of(1).snapshot();

        // then
        assertThat(snapshot.value("host_mem")).isEqualTo(266240);
        assertThat(snapshot.value("host_mem/tensors")).isEqualTo(4096);
        assertThatThrownBy(() -> snapshot.value("tensors"))
                .isInstanceOf(CounterNameException.class)
                .hasMessageContaining("memory_usage/device_mem/tensors or memory_usage/host_mem/tensors");
    }

    @Test
    void cacheOnlyFewScopes() {
        // given
        NeuronHost large = NeuronHost.discover(TreeFixture.host(10, 2));
        CounterScopes many = new CounterScopes(large);
        CounterScope first = many.of(large.cores().subList(0, 1));

        // when
        for (int from = 0; from < 20; from++) {
            for (int to = from + 1; to <= 20; to++) {
                many.of(large.cores().subList(from, to));
            }
        }

        // then
        assertThat(many.of(large.cores().subList(0, 1))).isNotSameAs(first);
    }

    @Test
    void reportNeighboursAndDiffOfEveryScope() {
        // given
        List<CounterDiff> seen = new ArrayList<>();
        Counters counters = Counters.over(
                scopes,
                host.cores().subList(0, 1),
                SettleOptions.IN_PROCESS,
                () -> new ConcurrentUsers(List.of("python3 (pid 4711) on neuron0")),
                seen::add);

        // when, then
        assertThat(List.of(
                        counters,
                        counters.of(host.cores().get(1)),
                        counters.of(host.cores().subList(0, 2)),
                        counters.wholeHost()))
                .allSatisfy(some -> assertThat(some.during(() -> {}).neighbours())
                        .containsExactly("python3 (pid 4711) on neuron0"));
        assertThat(seen).hasSize(4);
    }

    @Test
    void areAlwaysPrintedAlike() {
        assertThat(of(1)).hasToString("Counters");
    }

    private Counters of(Integer... cores) {
        return Counters.over(
                scopes,
                List.of(cores).stream().map(index -> host.cores().get(index)).toList(),
                SettleOptions.IN_PROCESS);
    }
}
