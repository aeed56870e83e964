package dev.neurontest.counter;

import static dev.neurontest.internal.counter.tree.ScopeFixture.diff;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.counter.ConcurrentUsers;
import dev.neurontest.internal.counter.CounterRecorder;
import dev.neurontest.internal.counter.ReportedDifferences;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterDiffTest {

    private static final String SUCCESS = "neuron0/neuron_core1 status/success";
    private static final String HW_ERROR = "neuron0/neuron_core1 status/hw_error";
    private static final String DEVICE_MEMORY = "neuron0/neuron_core1 memory_usage/device_mem";

    private final TreeFixture tree = TreeFixture.host(1, 2);
    private final CounterScope scope = ScopeFixture.of(tree, 2, 1);

    @Test
    void hasOnlyChangedCounters() {
        // when
        CounterDiff diff = diff(scope, () -> tree.count(SUCCESS, 100).count(DEVICE_MEMORY, 4096));

        // then
        assertThat(diff.moved()).extracting(CounterChange::subject).containsExactly(SUCCESS, DEVICE_MEMORY);
        assertThat(diff.moved().get(0))
                .returns(BigInteger.ZERO, CounterChange::before)
                .returns(BigInteger.valueOf(100), CounterChange::after)
                .returns(BigInteger.valueOf(100), CounterChange::delta)
                .returns(Movement.ROSE, CounterChange::movement)
                .returns(CounterUnit.COUNT, CounterChange::unit)
                .returns(
                        List.of("/sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/success/total"),
                        CounterChange::locations);
    }

    @Test
    void ignoresChangeOfPresent() {
        // when
        CounterDiff diff = diff(
                scope,
                () -> tree.set(
                        TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage/device_mem/present",
                        "8388608\n"));

        // then
        assertThat(diff.moved()).isEmpty();
    }

    @Test
    void showsAPeakThatRoseOrWasCleared() {
        // given
        String peak = TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage/device_mem/peak";
        tree.set(peak, "4096\n");

        // when
        CounterDiff rose = diff(scope, () -> tree.set(peak, "8192\n"));
        CounterDiff cleared = diff(scope, () -> tree.set(peak, "0\n"));

        // then
        assertThat(rose.moved()).singleElement().hasToString(DEVICE_MEMORY + "/peak +4096 (4 KiB)");
        assertThat(cleared.moved())
                .singleElement()
                .returns(Movement.DECREASED, CounterChange::movement)
                .returns(DEVICE_MEMORY + "/peak", CounterChange::subject);
    }

    @Test
    void separatesForeignCoresOfDevice() {
        // when
        CounterDiff diff = diff(scope, () -> tree.count("neuron0/neuron_core0 status/success", 12));

        // then
        assertThat(diff.moved()).isEmpty();
        assertThat(diff.foreign()).singleElement().hasToString("neuron0/neuron_core0 status/success +12");
    }

    @Test
    void ignoresMemoryCategoriesOfForeignCores() {
        // when
        CounterDiff diff = diff(scope, () -> tree.count("neuron0/neuron_core0 memory_usage/device_mem/tensors", 4096));

        // then
        assertThat(diff.foreign()).isEmpty();
    }

    @Test
    void reportsUnreadableCountersAndMoment() {
        // given
        tree.put(SUCCESS, "");

        // when
        CounterDiff diff =
                diff(scope, () -> tree.count(SUCCESS, 5).fail(HW_ERROR, () -> new IOException("No such device")));

        // then
        assertThat(diff.moved()).isEmpty();
        assertThat(diff.unreadable())
                .extracting(
                        UnreadableCounter::moment,
                        unreadable -> unreadable.counter().toString())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("before", SUCCESS),
                        org.assertj.core.groups.Tuple.tuple("after", HW_ERROR));
        assertThat(diff.counter("success").movement()).isEqualTo(Movement.UNREADABLE);
        assertThatThrownBy(() -> diff.counter("hw_error").delta())
                .isInstanceOf(NeuronSysfsException.class)
                .hasMessageContaining("hw_error/total could not be read: IOException No such device");
    }

    @Test
    void sumsCounterOverCores() {
        // given
        CounterScope both = ScopeFixture.of(tree, 2, 0, 1);

        // when
        CounterDiff diff = diff(
                both,
                () -> tree.count("neuron0/neuron_core0 other_info/inference_count", 40)
                        .count("neuron0/neuron_core1 other_info/inference_count", 60));

        // then
        assertThat(diff.counter("inference_count")).hasToString("2 cores other_info/inference_count +100");
        assertThat(diff.counter("inference_count").locations()).hasSize(2).allMatch(path -> path.endsWith("/total"));
        assertThat(diff.counter("success").movement()).isEqualTo(Movement.UNCHANGED);
        assertThat(diff.each("inference_count"))
                .extracting(CounterChange::toString)
                .containsExactly(
                        "neuron0/neuron_core0 other_info/inference_count +40",
                        "neuron0/neuron_core1 other_info/inference_count +60");
        assertThat(diff.counter("mem_ecc_uncorrected")).hasToString("neuron0 hardware/mem_ecc_uncorrected 0");
        assertThat(diff(both, () -> tree.count("neuron0/neuron_core0 other_info/inference_count", 3))
                        .counter("inference_count"))
                .as("one decreased")
                .returns(Movement.DECREASED, CounterChange::movement)
                .hasToString("2 cores other_info/inference_count at least +3");
    }

    @Test
    void logicalCoreHasLargestCountAndSummedMemory() {
        // given
        TreeFixture trn2 = TreeFixture.pairedHost();
        CounterScope pair = ScopeFixture.paired(trn2, 0, 2);

        // when
        CounterDiff diff = diff(
                pair,
                () -> trn2.count("neuron0/neuron_core0 other_info/inference_count", 7)
                        .count("neuron0/neuron_core1 other_info/inference_count", 100)
                        .count("neuron0/neuron_core4 other_info/inference_count", 100)
                        .count("neuron0/neuron_core5 other_info/inference_count", 100)
                        .count("neuron0/neuron_core0 memory_usage/device_mem", 4096)
                        .count("neuron0/neuron_core1 memory_usage/device_mem", 4096));

        // then
        assertThat(diff.each("inference_count"))
                .extracting(CounterChange::toString)
                .containsExactly("core 0 other_info/inference_count +100", "core 2 other_info/inference_count +100");
        assertThat(diff.counter("inference_count").delta()).isEqualTo(200);
        assertThat(diff.each("device_mem").get(0)).hasToString("core 0 memory_usage/device_mem +8192 (8 KiB)");
    }

    @Test
    void sumIsUnreadableWhenOnePartIs() {
        // given
        CounterScope both = ScopeFixture.of(tree, 2, 0, 1);

        // when
        CounterDiff diff = diff(
                both,
                () -> tree.put("neuron0/neuron_core0 other_info/inference_count", "?")
                        .count("neuron0/neuron_core1 other_info/inference_count", 60));

        // then
        assertThat(diff.counter("inference_count"))
                .returns(Movement.UNREADABLE, CounterChange::movement)
                .returns(1, change -> change.failures().size())
                .hasToString("2 cores other_info/inference_count unknown");
    }

    @Test
    void sumsBeyond64Bits() {
        // given
        CounterScope both = ScopeFixture.of(tree, 2, 0, 1);

        // when
        CounterDiff diff = diff(
                both,
                () -> tree.count("neuron0/neuron_core0 other_info/flop_count", -2)
                        .count("neuron0/neuron_core1 other_info/flop_count", -4));

        // then
        assertThat(diff.counter("flop_count").delta()).isEqualTo(new BigInteger("36893488147419103226"));
    }

    @Test
    void agreesWithBigIntegerOverManyCounters() {
        // given
        Random random = new Random(99);
        List<String> names = List.of(SUCCESS, HW_ERROR, "neuron0/neuron_core1 other_info/flop_count");
        for (int round = 0; round < 500; round++) {
            long[] first = random.longs(names.size()).toArray();
            long[] second = random.longs(names.size()).toArray();
            for (int i = 0; i < names.size(); i++) {
                tree.count(names.get(i), first[i]);
            }

            // when
            CounterDiff diff = diff(scope, () -> {
                for (int i = 0; i < names.size(); i++) {
                    tree.count(names.get(i), second[i]);
                }
            });

            // then
            for (int i = 0; i < names.size(); i++) {
                CounterChange change = diff.counter(names.get(i).split(" ")[1]);
                assertThat(change.before()).isEqualTo(new BigInteger(Long.toUnsignedString(first[i])));
                assertThat(change.after()).isEqualTo(new BigInteger(Long.toUnsignedString(second[i])));
                if (change.movement() == Movement.ROSE) {
                    assertThat(change.delta()).isEqualTo(change.after().subtract(change.before()));
                }
            }
        }
    }

    @Test
    void narrowsToOneCoreAndItsDevice() {
        // given
        CounterScope both = ScopeFixture.of(tree, 2, 0, 1);
        CounterDiff diff = diff(
                both,
                () -> tree.count("neuron0/neuron_core0 status/success", 1)
                        .count(SUCCESS, 2)
                        .put("neuron0/neuron_core0 status/hw_error", "x")
                        .put("neuron0 hardware/mem_ecc_uncorrected", "3\n"));

        // when
        CounterDiff narrow = diff.onCore("neuron0/neuron_core1");

        // then
        assertThat(narrow.moved())
                .extracting(CounterChange::subject)
                .containsExactly(SUCCESS, "neuron0 hardware/mem_ecc_uncorrected");
        assertThat(narrow.counter("success").delta()).isEqualTo(2);
        assertThat(narrow.unreadable()).isEmpty();
        assertThat(narrow.foreign()).isEmpty();
        assertThatThrownBy(() -> diff.onCore("neuron0/neuron_core7"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "neuron0/neuron_core7 is not among these counters, which belong to neuron0/neuron_core0, neuron0/neuron_core1.");
    }

    @Test
    void residualHasOnlyUnreportedChanges() {
        // given a class that moves counters before, in and after its tests
        CounterSnapshot classBefore = CounterSnapshot.of(scope);
        tree.count(SUCCESS, 5);
        CounterDiff first = diff(scope, () -> tree.count(SUCCESS, 105).count(HW_ERROR, 1));
        CounterDiff second = diff(scope, () -> tree.count(SUCCESS, 205).count(DEVICE_MEMORY, 4096));
        tree.count(DEVICE_MEMORY, 0);
        CounterDiff whole = classBefore.until(CounterSnapshot.of(scope));

        // when
        CounterDiff rest = whole.residual(reported(whole, first, second));

        // then
        assertThat(rest.moved())
                .extracting(CounterChange::toString)
                .containsExactly(SUCCESS + " +5", DEVICE_MEMORY + " -4096 (4 KiB)");
        assertThat(whole.counter("hw_error").delta()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"50, 50>3, 5, ' +2'", "0, 0>110 110>0 0>7, 9, ' +2'", "50, 60>3, 3, ''"})
    void residualHasCountsAfterCounterWasCleared(long begin, String parts, long end, String rest) {
        // given
        tree.count(SUCCESS, begin);
        CounterSnapshot classBefore = CounterSnapshot.of(scope);
        CounterDiff[] tests = Stream.of(parts.split(" "))
                .map(part -> Stream.of(part.split(">")).map(Long::valueOf).toList())
                .map(counts -> {
                    tree.count(SUCCESS, counts.get(0));
                    return diff(scope, () -> tree.count(SUCCESS, counts.get(1)));
                })
                .toArray(CounterDiff[]::new);
        tree.count(SUCCESS, end);
        CounterDiff whole = classBefore.until(CounterSnapshot.of(scope));

        // then
        assertThat(whole.residual(reported(whole, tests)).moved())
                .extracting(CounterChange::toString)
                .isEqualTo(rest.isEmpty() ? List.of() : List.of(SUCCESS + rest));
    }

    @Test
    void residualIsNotNegativeWhenReportedTwice() {
        // given two tests that ran at the same time on different cores and both saw an error of the device
        CounterScope other = ScopeFixture.of(tree, 2, 0);
        CounterScope all = ScopeFixture.of(tree, 2, 0, 1);
        CounterSnapshot classBefore = CounterSnapshot.of(all);
        CounterSnapshot before = CounterSnapshot.of(scope);
        CounterDiff one = diff(other, () -> tree.put("neuron0 hardware/mem_ecc_uncorrected", "1\n"));
        CounterDiff two = before.until(CounterSnapshot.of(scope));
        CounterDiff whole = classBefore.until(CounterSnapshot.of(all));

        // when, then
        assertThat(whole.residual(reported(whole, one, two)).moved()).isEmpty();
    }

    @Test
    void residualOmitsReportedUnreadableAndNewCounters() {
        // given
        String status = TreeFixture.DEVICES + "neuron0/neuron_core1/stats/status/";
        CounterRecorder ofClass = CounterRecorder.start(scope, SettleOptions.IN_PROCESS);
        CounterDiff test = ScopeFixture.diff(
                scope,
                List.of(),
                () -> tree.put(HW_ERROR, "x").put(SUCCESS, "1\n").set(status + "one/total", "0\n"));
        tree.put("neuron0/neuron_core1 status/failure", "y").set(status + "two/total", "0\n");
        CounterDiff whole = ofClass.stop();

        // when
        CounterDiff rest = whole.residual(reported(whole, test));

        // then
        assertThat(rest.unreadable())
                .extracting(unreadable -> unreadable.counter().path())
                .containsExactly("status/failure");
        assertThat(rest.entryChanges()).singleElement().asString().endsWith("/status/two appeared");
    }

    @Test
    void residualKeepsPeakSeenByClassOnly() {
        // given
        String peak = TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage/device_mem/peak";
        CounterSnapshot classBefore = CounterSnapshot.of(scope);
        tree.set(peak, "8192\n");
        CounterDiff quietTest = diff(scope, () -> {});
        CounterDiff whole = classBefore.until(CounterSnapshot.of(scope));

        // when, then
        assertThat(whole.residual(reported(whole, quietTest)).moved()).hasSize(1);
        assertThat(whole.residual(reported(whole, whole)).moved()).isEmpty();
    }

    @Test
    void residualKeepsNeighbours() {
        // given
        List<String> neighbours = List.of("FooTest (pid 12) on neuron0/neuron_core0");
        CounterDiff whole = ScopeFixture.diff(scope, neighbours, () -> tree.count(SUCCESS, 5));

        // when, then
        assertThat(whole.residual(reported(whole)).neighbours()).isEqualTo(neighbours);
        assertThat(whole.residual(reported(whole, whole)).neighbours()).isEqualTo(neighbours);
    }

    @Test
    void hasOnlyTheNeighboursOfItsDevices() {
        // given
        TreeFixture two = TreeFixture.host(2, 2);
        CounterScope both = ScopeFixture.over(two, CounterPlace.ofCore(0, 1), CounterPlace.ofCore(1, 1));

        // when
        CounterDiff diff = ScopeFixture.diff(
                both, List.of("a (pid 1) on neuron0", "b (pid 2) on neuron1", "c (pid 3) on neuron10"), () -> {});

        // then
        assertThat(diff.neighbours()).containsExactly("a (pid 1) on neuron0", "b (pid 2) on neuron1");
        assertThat(diff.onCore("neuron1/neuron_core1").neighbours()).containsExactly("b (pid 2) on neuron1");
    }

    @Test
    void marksOnlyCountersOfSharedDeviceAsShared() {
        // given
        TreeFixture two = TreeFixture.host(2, 2);
        CounterScope both = ScopeFixture.over(two, CounterPlace.ofCore(0, 1), CounterPlace.ofCore(1, 1));

        // when
        CounterDiff diff = ScopeFixture.diff(both, List.of("a (pid 1) on neuron1"), () -> {});

        // then
        assertThat(diff.each("mem_ecc_uncorrected")).extracting(diff::isShared).containsExactly(false, true);
        assertThat(diff.isShared(diff.counter("mem_ecc_uncorrected"))).isTrue();
        assertThat(diff.each("status/hw_error")).noneMatch(diff::isShared);
    }

    @Test
    void namesProcessThatDefersCounts() {
        // given
        CounterScope deferred =
                ScopeFixture.held(tree, Map.of(0, List.of("python3 (pid 4711)"), 7, List.of("other (pid 1)")), 2, 1);

        // when
        CounterDiff diff = diff(deferred, () -> {});

        // then
        assertThat(diff.deferredBy(diff.counter("inference_count")))
                .hasValue(
                        "This host (driver 2.24.7.0) counts executions and their outcomes when the owning process closes the device, and neuron0 is still held by python3 (pid 4711). End the owner, or close its runtime, before the counters are read; from driver 2.30 on they are live.");
        assertThat(diff.deferredBy(diff.counter("status/hw_error"))).isPresent();
        assertThat(diff.deferredBy(diff.counter("device_mem"))).isEmpty();
        assertThat(diff.deferredBy(diff.counter("reset_req_count"))).isEmpty();
        assertThat(diff.deferredBy(diff.counter("mem_ecc_uncorrected"))).isEmpty();
    }

    @Test
    void defersNothingWhenOwnersAreGone() {
        // given
        CounterScope deferred = ScopeFixture.held(tree, Map.of(), 2, 1);

        // when
        CounterDiff diff = diff(deferred, () -> {});

        // then
        assertThat(diff.deferredBy()).isEmpty();
        assertThat(diff.deferredBy(diff.counter("inference_count"))).isEmpty();
    }

    @Test
    void isEmptyWithoutChangesAndNeighbours() {
        assertThat(diff(scope, () -> {}).isEmpty()).isTrue();
        assertThat(diff(scope, () -> tree.count(SUCCESS, 1)).isEmpty()).isFalse();
        assertThat(ScopeFixture.diff(scope, List.of("a (pid 1)"), () -> {}).isEmpty())
                .isFalse();
    }

    private static ReportedDifferences reported(CounterDiff whole, CounterDiff... parts) {
        ReportedDifferences reported = new ReportedDifferences(whole.scope());
        List.of(parts).forEach(reported::add);
        return reported;
    }

    private CounterDiff afterWhich(Map<Integer, List<String>> open, CounterPlace... cores) {
        CounterScope scope = ScopeFixture.over(TreeFixture.host(6, 1), cores);
        return CounterRecorder.start(scope, SettleOptions.IN_PROCESS, () -> ConcurrentUsers.NONE, () -> open)
                .stop();
    }

    @Test
    void namesProcessWithDeviceStillOpen() {
        // when
        CounterDiff diff = afterWhich(Map.of(0, List.of("trainer (pid 4711)")), CounterPlace.ofCore(0, 0));

        // then
        assertThat(diff.stillOpen())
                .hasValue("neuron0 is still open in trainer (pid 4711): its later counts are not included in"
                        + " this test. End it in the test, or start it with Workloads.");
        assertThat(diff.toText()).contains(diff.stillOpen().orElseThrow());
        assertThat(diff.deferredBy()).isEmpty();
    }

    @Test
    void namesFirstOfManyProcessesWithOpenDevices() {
        // given
        Map<Integer, List<String>> open = new TreeMap<>();
        for (int device = 0; device < 6; device++) {
            open.put(device, List.of("main (pid 1)", "trainer (pid 1" + device + ")"));
        }
        CounterPlace[] cores = open.keySet().stream()
                .map(device -> CounterPlace.ofCore(device, 0))
                .toArray(CounterPlace[]::new);

        // when
        CounterDiff diff = afterWhich(open, cores);

        // then
        assertThat(diff.stillOpen())
                .hasValue("neuron0, neuron1, neuron2, neuron3 and 2 more are still open in main (pid 1),"
                        + " trainer (pid 10), trainer (pid 11), trainer (pid 12) and 3 more: their later counts"
                        + " are not included in this test. End them in the test, or start them with Workloads.");
        assertThat(diff.onCore("neuron5/neuron_core0").stillOpen())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .startsWith("neuron5 is still open in main (pid 1), trainer (pid 15): their"));
    }

    @Test
    void ignoresOpenDevicesOutsideOfItsScope() {
        assertThat(afterWhich(Map.of(1, List.of("trainer (pid 4711)")), CounterPlace.ofCore(0, 0))
                        .stillOpen())
                .isEmpty();
    }
}
