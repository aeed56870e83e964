package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.counter.SettleResult;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CounterTextTest {

    private final TreeFixture tree = TreeFixture.host(1, 2);

    @Test
    void showsThatNoCounterChanged() {
        // when
        CounterDiff diff = ScopeFixture.diff(ScopeFixture.of(tree, 2, 1), () -> {});

        // then
        assertThat(diff.toText()).isEqualTo("""
                Counters of neuron0/neuron_core1 on fixture

                No counter changed.
                """);
    }

    @Test
    void showsChangesForeignActivityAndFailures() {
        // given
        String core = "neuron0/neuron_core1 ";
        tree.count(core + "status/timeout", 9)
                .count(core + "memory_usage/device_mem/constants", 4096)
                .count(core + "memory_usage/device_mem/model_code", 12288);
        CounterScope scope = ScopeFixture.held(tree, Map.of(0, List.of("python3 (pid 4711)")), 2, 1);
        CounterSnapshot before = CounterSnapshot.of(scope);
        tree.count(core + "status/success", 100)
                .count(core + "status/timeout", 2)
                .count(core + "other_info/nc_time_in_use", 61_000_000)
                .count(core + "memory_usage/device_mem/tensors", 1610612736L)
                .count(core + "memory_usage/device_mem/constants", -8192)
                .count(core + "memory_usage/device_mem/model_code", 4096)
                .count("neuron0/neuron_core0 status/success", 12)
                .fail(core + "status/failure", () -> new IOException("No such device"));
        CounterSnapshot after = CounterSnapshot.of(scope);

        // when
        CounterDiff diff = CounterDiff.between(
                before,
                after,
                new SettleResult(
                        false,
                        Duration.ofSeconds(1),
                        List.of(new Counter(CounterPlace.ofCore(0, 1), "status/success", CounterField.TOTAL))),
                CounterDiff.deferredBy(scope));

        // then
        assertThat(diff.toText()).isEqualTo("""
                Counters of neuron0/neuron_core1 on fixture

                counter                                                          before                                 after                  delta
                neuron0/neuron_core1 status/success                                   0                                   100                   +100
                neuron0/neuron_core1 status/timeout                                   9                                     2            at least +2  decreased: written to, or driver reloaded
                neuron0/neuron_core1 other_info/nc_time_in_use                        0                       61000000 (61 s)       +61000000 (61 s)
                neuron0/neuron_core1 memory_usage/device_mem/constants     4096 (4 KiB)  18446744073709543424 (8 KiB below 0)        -12288 (12 KiB)  wrapped: it was cleared while memory was in use
                neuron0/neuron_core1 memory_usage/device_mem/model_code  12288 (12 KiB)                          4096 (4 KiB)          -8192 (8 KiB)
                neuron0/neuron_core1 memory_usage/device_mem/tensors                  0                  1610612736 (1.5 GiB)  +1610612736 (1.5 GiB)

                Foreign activity: counters of other cores of the same devices changed.
                counter                              before  after  delta
                neuron0/neuron_core0 status/success       0     12    +12

                Not readable:
                  after: /sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/failure/total could not be read: IOException No such device. Check whether the device is still present (neuron-ls, dmesg).

                The counters did not settle within 1000 ms; still changing: neuron0/neuron_core1 status/success. The readings after the test may be too early.

                This host (driver 2.24.7.0) counts executions and their outcomes when the owning process closes the device, and neuron0 is still held by python3 (pid 4711). End the owner, or close its runtime, before the counters are read; from driver 2.30 on they are live.
                """);
    }

    @Test
    void showsNeighboursAndSharedCounters() {
        // given
        CounterScope scope = ScopeFixture.of(tree, 2, 1);
        tree.put("neuron0 hardware/sram_ecc_uncorrected", "65535\n");

        // when
        CounterDiff diff = ScopeFixture.diff(
                scope,
                List.of("FooTest > bar() (pid 12) on neuron0/neuron_core0", "python3 (pid 4711) on neuron0"),
                () -> tree.count("neuron0/neuron_core1 status/success", 100)
                        .count("neuron0/neuron_core0 status/success", 12)
                        .count("neuron0 memory_usage/host_mem/tensors", 4096)
                        .put("neuron0 hardware/sram_ecc_uncorrected", "0\n"));

        // then
        assertThat(diff.toText()).isEqualTo("""
                Counters of neuron0/neuron_core1 on fixture

                counter                                before         after          delta
                neuron0/neuron_core1 status/success         0           100           +100
                neuron0 memory_usage/host_mem/tensors       0  4096 (4 KiB)  +4096 (4 KiB)  shared
                neuron0 hardware/sram_ecc_uncorrected   65535             0             +1  wrapped: the register has 16 bits; shared

                On the same devices at the same time:
                  FooTest > bar() (pid 12) on neuron0/neuron_core0
                  python3 (pid 4711) on neuron0
                Counters marked as shared belong to the whole device: the change cannot be attributed to one process.

                Foreign activity: counters of other cores of the same devices changed, by: FooTest > bar() (pid 12) on neuron0/neuron_core0; python3 (pid 4711) on neuron0.
                counter                              before  after  delta
                neuron0/neuron_core0 status/success       0     12    +12
                """);
    }

    @Test
    void showsNeighboursWithoutSharedCounters() {
        // when
        CounterDiff diff =
                ScopeFixture.diff(ScopeFixture.of(tree, 2, 1), List.of("python3 (pid 4711) on neuron0"), () -> {});

        // then
        assertThat(diff.toText()).isEqualTo("""
                Counters of neuron0/neuron_core1 on fixture

                No counter changed.

                On the same devices at the same time:
                  python3 (pid 4711) on neuron0
                """);
    }

    @Test
    void showsNumberOfManyCores() {
        // given
        TreeFixture trn2 = TreeFixture.host(1, 6);

        // when
        CounterDiff diff = ScopeFixture.diff(ScopeFixture.of(trn2, 6, 0, 1, 2, 3, 4, 5), () -> {});

        // then
        assertThat(diff.toText()).startsWith("Counters of 6 cores from neuron0/neuron_core0 on fixture\n");
    }

    @Test
    void showsReloadAppearedFilesAndHealth() {
        // given
        String device = TreeFixture.DEVICES + "neuron0/";

        // when
        CounterDiff diff = ScopeFixture.diff(
                ScopeFixture.of(tree, 2, 1),
                List.of(),
                () -> tree.reload()
                        .set(device + "neuron_core1/stats/status/another/total", "0\n")
                        .set(device + "stats/hardware/health_status/unhealthy_components", "hbm\n"));

        // then
        assertThat(diff.toText())
                .contains(
                        "\nThe counters restarted during the test: /sys/",
                        "/status/another appeared during the test.\n",
                        "neuron0 reported nothing as broken before, and hbm after.\n");
    }
}
