package dev.neurontest.internal.counter.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.counter.CounterField;
import dev.neurontest.counter.CounterPlace;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.device.Nodes;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CounterDiscoveryTest {

    private static final CounterPlace CORE = CounterPlace.ofCore(0, 1);
    private static final CounterPlace DEVICE = CounterPlace.ofDevice(0);
    private static final String STATS_OF_CORE = TreeFixture.DEVICES + "neuron0/neuron_core1/stats";
    private static final String STATS_OF_DEVICE = TreeFixture.DEVICES + "neuron0/stats";

    private final TreeFixture tree = TreeFixture.host(1, 2);

    @Test
    void findsTotalPresentAndPeakOfACounter() {
        // when
        CounterLayout layout = layout(CORE);

        // then
        CounterRow tensors = row(layout, "memory_usage/device_mem/tensors");
        assertThat(layout.files().get(tensors.main()).file()).isEqualTo("stats/memory_usage/device_mem/tensors/total");
        assertThat(layout.files())
                .extracting(CounterFile::file)
                .contains("stats/memory_usage/device_mem/tensors/present");
        assertThat(layout.files().get(tensors.peak()).file()).isEqualTo("stats/memory_usage/device_mem/tensors/peak");
    }

    @Test
    void distinguishesWholeDeviceMemoryFromCategories() {
        // when
        CounterLayout layout = layout(CORE);

        // then
        assertThat(layout.files()
                        .get(row(layout, "memory_usage/device_mem").main())
                        .file())
                .isEqualTo("stats/memory_usage/device_mem/total");
        assertThat(layout.rows()).extracting(CounterRow::path).doesNotHaveDuplicates();
    }

    @Test
    void readsPlainCounterFilesAsValues() {
        // when
        CounterLayout layout = layout(DEVICE);

        // then
        CounterRow ecc = row(layout, "hardware/mem_ecc_uncorrected");
        assertThat(layout.files().get(ecc.main()))
                .isEqualTo(new CounterFile(ecc.path(), CounterField.VALUE, "stats/hardware/mem_ecc_uncorrected"));
    }

    @Test
    void acceptsPlainFileAsDocumented() {
        // given
        String stats = STATS_OF_CORE;
        tree.remove(stats + "/other_info/inference_count").set(stats + "/other_info/inference_count", "3\n");

        // when, then
        assertThat(layout(CORE).files())
                .contains(new CounterFile(
                        "other_info/inference_count", CounterField.VALUE, "stats/other_info/inference_count"));
    }

    @Test
    void skipsFilesThatAreNotOneNumber() {
        assertThat(names(DEVICE))
                .noneMatch(file -> file.contains("power") || file.contains("unhealthy") || file.contains("heartbeat"));
        assertThat(names(CORE)).noneMatch(file -> file.contains("pe_cntrs"));
    }

    @Test
    void keepsACorruptFileOfAKnownGroup() {
        // given
        tree.put("neuron0 hardware/mem_ecc_uncorrected", "garbage");

        // when, then
        assertThat(names(DEVICE)).contains("hardware/mem_ecc_uncorrected");
    }

    @Test
    void findsCountersOfNewerDriver() {
        // given
        String stats = STATS_OF_DEVICE;
        tree.set(stats + "/fabric/link_errors", "4\n").set(stats + "/fabric/state", "fine\n");
        tree.counter(stats + "/fabric/retries", false);

        // when
        CounterLayout layout = layout(DEVICE);

        // then
        assertThat(names(layout))
                .contains("fabric/link_errors", "fabric/retries/total")
                .doesNotContain("fabric/state");
    }

    @Test
    void limitsDirectoryDepth() {
        // given
        tree.set(STATS_OF_DEVICE + "/loop".repeat(40) + "/total", "0\n");

        // when, then
        assertThat(names(DEVICE)).noneMatch(file -> file.startsWith("loop"));
    }

    @Test
    void findsNoEccCountersWithoutEccHardware() {
        // given an Inf1 device
        tree.remove(STATS_OF_DEVICE + "/hardware");

        // when, then
        assertThat(layout(DEVICE).rows()).isNotEmpty().allMatch(row -> row.kind() == CounterKind.MEMORY);
    }

    @Test
    void namesMissingDirectoryOfCore() {
        // given
        tree.remove(TreeFixture.DEVICES + "neuron0");

        // when, then
        assertThatThrownBy(() -> ScopeFixture.found(tree, CORE))
                .isInstanceOf(NeuronSysfsException.class)
                .hasMessageContaining("/sys/devices/virtual/neuron_device/neuron0/neuron_core1 could not be read");
    }

    @Test
    void watchesOtherPlacesWithFewFiles() {
        // when
        List<String> files = names(layout(CORE).watch());

        // then
        assertThat(files)
                .contains("status/success/total", "other_info/inference_count/total", "memory_usage/device_mem/total")
                .noneMatch(file -> file.endsWith("present") || file.endsWith("peak") || file.contains("tensors"));
    }

    @Test
    void keepsAnUnreadableFileOfAKnownGroup() {
        // given
        tree.fail("neuron0 hardware/sram_ecc_uncorrected", () -> new IOException("I/O error"));

        // when, then
        assertThat(names(DEVICE)).contains("hardware/sram_ecc_uncorrected");
    }

    @Test
    void doubtsACoreWithoutAStatusCounter() {
        // given
        tree.remove(STATS_OF_CORE + "/status");

        // when, then
        assertThat(ScopeFixture.found(tree, CORE).doubt())
                .contains("No status counter was found below /sys/devices/virtual/neuron_device/neuron0/neuron_core1,"
                        + " so an error would be missed. See neuron-test doctor, which shows what was found there.");
    }

    @Test
    void doubtsACoreThatCountsOnlySuccess() {
        // given
        tree.remove(STATS_OF_CORE + "/status").counter(STATS_OF_CORE + "/status/success", false);

        // when, then
        assertThat(ScopeFixture.found(tree, CORE).doubt()).isPresent();
    }

    @Test
    void doubtsAnErrorCounterWithoutATotal() {
        // given
        tree.remove(STATS_OF_CORE + "/status/hw_error/total");

        // when, then
        assertThat(ScopeFixture.found(tree, CORE).doubt())
                .hasValueSatisfying(doubt -> assertThat(doubt).startsWith("status/hw_error has no total below /sys/"));
    }

    @Test
    void doubtsDeviceWithoutEccCountersOnEccHardware() {
        // given
        tree.remove(STATS_OF_DEVICE + "/hardware");

        // when, then
        assertThat(ScopeFixture.found(tree, DEVICE).doubt())
                .hasValueSatisfying(doubt -> assertThat(doubt).startsWith("No ECC counter was found below "));
        assertThat(CounterDiscovery.at(
                                tree, DEVICE, Nodes.below(tree, TreeFixture.DEVICES + "neuron0"), false, List.of())
                        .doubt())
                .isEmpty();
    }

    @Test
    void findsCounterByNameInUnusualDirectory() {
        // given
        tree.remove(STATS_OF_CORE);
        String elsewhere = TreeFixture.DEVICES + "neuron0/neuron_core1/runtime/outcomes";
        tree.counter(elsewhere + "/hw_error", false);
        tree.counter(elsewhere + "/tensors", true);
        tree.set(elsewhere + "/inference_count", "3\n");

        // when
        FoundCounters found = ScopeFixture.found(tree, CORE);

        // then
        assertThat(found.doubt()).isEmpty();
        assertThat(found.layout().files())
                .contains(
                        new CounterFile("status/hw_error", CounterField.TOTAL, "runtime/outcomes/hw_error/total"),
                        new CounterFile(
                                "memory_usage/device_mem/tensors", CounterField.PEAK, "runtime/outcomes/tensors/peak"),
                        new CounterFile(
                                "other_info/inference_count", CounterField.VALUE, "runtime/outcomes/inference_count"));
    }

    @Test
    void assignsNewCounterToMovedGroup() {
        // given
        tree.counter(TreeFixture.DEVICES + "neuron0/neuron_core1/runtime/status/hw_quantum_error", false);

        // when, then
        assertThat(row(layout(CORE), "status/hw_quantum_error").kind()).isEqualTo(CounterKind.STATUS);
    }

    @Test
    void doubtsErrorCounterFoundAtTwoPlaces() {
        // given
        tree.counter(TreeFixture.DEVICES + "neuron0/neuron_core1/runtime/hw_error", false);

        // when
        FoundCounters found = ScopeFixture.found(tree, CORE);

        // then the counter at the usual place keeps the name
        assertThat(found.doubt())
                .hasValueSatisfying(doubt -> assertThat(doubt)
                        .startsWith("One error counter must have one place, but status/hw_error is at")
                        .contains("neuron_core1/runtime/hw_error and at ", "neuron_core1/stats/status/hw_error."));
        assertThat(found.layout().files())
                .contains(
                        new CounterFile("status/hw_error", CounterField.TOTAL, "stats/status/hw_error/total"),
                        new CounterFile("runtime/hw_error", CounterField.TOTAL, "runtime/hw_error/total"));
    }

    @Test
    void followsNoLink() {
        // given the old place of a moved node as a link
        String core = TreeFixture.DEVICES + "neuron0/neuron_core1";
        tree.set("link:" + core + "/status", "stats/status");
        tree.counter(core + "/status/hw_error", false);

        // when, then
        assertThat(ScopeFixture.found(tree, CORE).doubt()).isEmpty();
    }

    @Test
    void doesNotMistakeAttributeForCounter() {
        // given numbers that are no counters, and the power management of the kernel
        String device = TreeFixture.DEVICES + "neuron0";
        tree.set(device + "/core_count", "2")
                .set(device + "/info/firmware/fw_build", "17\n")
                .set(device + "/info/patch", "3\n")
                .set(device + "/power/runtime_usage", "0\n");

        // when, then
        assertThat(names(DEVICE)).noneMatch(name -> name.matches(".*(core_count|fw_build|patch|runtime_usage)"));
    }

    @Test
    void reportsDirectoryThatCannotBeListed() {
        // given
        tree.failListing(STATS_OF_CORE + "/status", () -> new IOException("No such device"));

        // when, then
        assertThatThrownBy(() -> ScopeFixture.found(tree, CORE))
                .isInstanceOf(NeuronSysfsException.class)
                .hasMessageContaining("neuron_core1/stats/status could not be read: IOException No such device");
    }

    private CounterLayout layout(CounterPlace place) {
        return ScopeFixture.found(tree, place).layout();
    }

    private List<String> names(CounterPlace place) {
        return names(layout(place));
    }

    private static List<String> names(CounterLayout layout) {
        return layout.files().stream()
                .map(file -> file.path() + file.field().suffix())
                .toList();
    }

    private static CounterRow row(CounterLayout layout, String path) {
        return layout.rows().stream()
                .filter(row -> row.path().equals(path))
                .findFirst()
                .orElseThrow();
    }
}
