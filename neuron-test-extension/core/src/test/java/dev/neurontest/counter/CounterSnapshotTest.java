package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterSnapshotTest {

    private final TreeFixture tree = TreeFixture.host(1, 2);
    private final CounterScope scope = ScopeFixture.of(tree, 2, 1);

    @Test
    void readsEveryFieldOfTheLeasedCores() {
        // given
        tree.set(TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage/device_mem/total", "8192\n")
                .set(TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage/device_mem/present", "4096\n")
                .set(TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage/device_mem/peak", "12288\n");

        // when
        CounterSnapshot snapshot = CounterSnapshot.of(scope);

        // then
        assertThat(IntStream.range(0, scope.size())
                        .filter(position -> scope.counter(position).path().equals("memory_usage/device_mem"))
                        .mapToObj(snapshot::bits))
                .contains(8192L, 4096L, 12288L);
    }

    @Test
    void keepsAllBits() {
        // given
        tree.put("neuron0/neuron_core1 status/hw_error", "18446744073709551615\n");

        // when, then
        assertThat(CounterSnapshot.of(scope).value("hw_error")).isEqualTo(new BigInteger("18446744073709551615"));
    }

    @ParameterizedTest
    @CsvSource({
        "'', nothing, 'a number, not an empty file'",
        "'\n', '\"\\n\"', 'a number, not an empty file'",
        "garbage, '\"garbage\"', an unsigned number",
        "'-1\n', '\"-1\\n\"', an unsigned number",
        "'busy\n', '\"busy\\n\"', an unsigned number",
        "'18446744073709551616\n', '\"18446744073709551616\\n\"', at most 18446744073709551615 (64 bits)"
    })
    void reportsContentThatIsNoNumber(String content, String shown, String expected) {
        // given
        tree.put("neuron0/neuron_core1 status/hw_error", content);

        // when
        CounterSnapshot snapshot = CounterSnapshot.of(scope);

        // then
        assertThat(snapshot.unreadable()).singleElement().satisfies(failure -> {
            assertThat(failure)
                    .hasMessageStartingWith(
                            "/sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/hw_error/total holds "
                                    + shown + ", expected " + expected + ".");
            assertThat(failure.content()).isEqualTo(content);
        });
    }

    @Test
    void reportsVanishedFile() {
        // given
        tree.fail("neuron0/neuron_core1 status/hw_error", () -> new NoSuchFileException("total"));

        // when, then
        assertThat(CounterSnapshot.of(scope).unreadable())
                .singleElement()
                .extracting(Throwable::getMessage)
                .asString()
                .contains("stats/status/hw_error/total could not be read: NoSuchFileException", "device vanished");
    }

    @Test
    void advisesRootWhenAccessIsDenied() {
        // given
        tree.fail("neuron0/neuron_core1 status/hw_error", () -> new AccessDeniedException("total"));

        // when, then
        assertThat(CounterSnapshot.of(scope).unreadable())
                .singleElement()
                .extracting(Throwable::getMessage)
                .asString()
                .contains("AccessDeniedException", "Run as root");
    }

    @Test
    void readsOtherCountersAfterFailure() {
        // given
        tree.fail("neuron0/neuron_core1 status/hw_error", () -> new IOException("No such device"))
                .put("neuron0/neuron_core1 status/failure", "x")
                .count("neuron0/neuron_core1 status/success", 7);

        // when
        CounterSnapshot snapshot = CounterSnapshot.of(scope);

        // then
        assertThat(snapshot.value("success")).isEqualTo(7);
        assertThatThrownBy(() -> snapshot.value("hw_error"))
                .isInstanceOf(NeuronSysfsException.class)
                .hasMessageContaining("hw_error/total could not be read: IOException No such device");
    }

    @Test
    void treatsAbsentCounterAsWrongName() {
        // given
        tree.remove(TreeFixture.DEVICES + "neuron0/stats/hardware");
        CounterScope withoutEcc = ScopeFixture.of(tree, 2, 1);

        // when, then
        assertThatThrownBy(() -> CounterSnapshot.of(withoutEcc).value("mem_ecc_uncorrected"))
                .isInstanceOf(CounterNameException.class);
    }

    @Test
    void valueIsTotalNotPresent() {
        // given a counter with a last change of 8 MiB while 2 GiB are in use
        String directory = TreeFixture.DEVICES + "neuron0/neuron_core1/stats/memory_usage/device_mem/";
        tree.set(directory + "total", "2147483648\n").set(directory + "present", "8388608\n");

        // when, then
        assertThat(CounterSnapshot.of(scope).value("device_mem")).isEqualTo(2147483648L);
    }

    @Test
    void logicalCoreHasLargestCountAndSummedMemory() {
        // given
        TreeFixture trn2 = TreeFixture.pairedHost();
        trn2.count("neuron0/neuron_core2 memory_usage/device_mem", 4096)
                .count("neuron0/neuron_core3 memory_usage/device_mem", 8192)
                .count("neuron0/neuron_core2 other_info/inference_count", 50)
                .count("neuron0/neuron_core3 other_info/inference_count", 60);

        // when
        CounterSnapshot snapshot = CounterSnapshot.of(ScopeFixture.paired(trn2, 1));

        // then
        assertThat(snapshot.value("device_mem")).isEqualTo(12288);
        assertThat(snapshot.value("inference_count")).isEqualTo(60);
    }

    @Test
    void acceptsReadingsFromSeveralThreads() {
        // given
        tree.put("neuron0/neuron_core1 status/hw_error", "x");
        CounterSnapshot.Readings readings = new CounterSnapshot.Readings(scope);
        byte[] seven = "7\n".getBytes(StandardCharsets.US_ASCII);

        // when
        IntStream.range(0, scope.size()).parallel().forEach(index -> {
            if (index % 2 == 0) {
                readings.content(index, seven, seven.length);
            } else {
                readings.failed(index, new IOException("odd"));
            }
        });

        // then
        CounterSnapshot snapshot = readings.complete();
        List<Integer> read = new ArrayList<>();
        for (int index = 0; index < scope.size(); index++) {
            if (snapshot.isRead(index)) {
                assertThat(snapshot.bits(index)).isEqualTo(7);
                read.add(index);
            }
        }
        assertThat(read).hasSize((scope.size() + 1) / 2);
    }

    @Test
    void neverWritesAnything() {
        // when
        CounterSnapshot.of(scope).until(CounterSnapshot.of(scope)).toText();

        // then
        assertThat(tree.written()).isEmpty();
    }

    @Test
    void refusesComparisonOfOtherCores() {
        // given
        CounterSnapshot other = CounterSnapshot.of(ScopeFixture.of(tree, 2, 0));

        // when, then
        assertThatThrownBy(() -> CounterSnapshot.of(scope).until(other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The snapshots are of different cores: neuron0/neuron_core1 and neuron0/neuron_core0.");
    }

    @Test
    void refusesComparisonWhenCountersAppeared() {
        // given
        CounterSnapshot before = CounterSnapshot.of(scope);
        tree.counter(TreeFixture.DEVICES + "neuron0/neuron_core1/stats/status/hw_quantum_error", false);
        CounterSnapshot after = CounterSnapshot.of(ScopeFixture.of(tree, 2, 1));

        // when, then
        assertThatThrownBy(() -> before.until(after))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "The snapshots have different counters of neuron0/neuron_core1: some appeared or disappeared between them. Look at dmesg, and take both again.");
    }

    @Test
    void listsUnknownErrorCounts() {
        // given
        tree.count("neuron0/neuron_core0 status/hw_error", 7)
                .fail("neuron0 hardware/mem_ecc_uncorrected", () -> new IOException("Input/output error"))
                .remove(TreeFixture.DEVICES + "neuron0/neuron_core1/stats/status");

        // when
        Map<String, Optional<BigInteger>> errors =
                CounterSnapshot.of(ScopeFixture.of(tree, 2, 1)).errors();

        // then
        assertThat(errors)
                .containsEntry("neuron0/neuron_core0 status/hw_error", Optional.of(BigInteger.valueOf(7)))
                .containsEntry("neuron0 hardware/mem_ecc_uncorrected", Optional.empty())
                .containsEntry("neuron0 hardware/sram_ecc_uncorrected", Optional.of(BigInteger.ZERO))
                .containsEntry("neuron0/neuron_core1 errors", Optional.empty());
    }

    @Test
    void isTakenWhenWatchedCoreCannotBeListed() {
        // given
        tree.remove(TreeFixture.DEVICES + "neuron0/neuron_core0/stats");

        // when, then
        assertThatCode(() -> CounterSnapshot.of(ScopeFixture.of(tree, 2, 1))).doesNotThrowAnyException();
    }

    @Test
    void failsWhenLeasedCoreCannotBeListed() {
        // given
        tree.failListing(TreeFixture.DEVICES + "neuron0/neuron_core1/stats", () -> new AccessDeniedException("stats"));

        // when, then
        assertThatThrownBy(() -> ScopeFixture.of(tree, 2, 1))
                .isInstanceOf(NeuronSysfsException.class)
                .hasMessageContaining("neuron0/neuron_core1/stats");
    }
}
