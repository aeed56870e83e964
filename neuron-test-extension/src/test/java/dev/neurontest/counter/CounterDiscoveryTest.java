package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.host.NeuronSysfsException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CounterDiscoveryTest {

    private static final CounterPlace CORE = CounterPlace.ofCore(0, 1);
    private static final CounterPlace DEVICE = CounterPlace.ofDevice(0);

    private final TreeFixture tree = TreeFixture.host(1, 2);

    @Test
    void findsTotalPresentAndPeakOfACounter() {
        // when
        CounterLayout layout = CounterDiscovery.at(tree, CORE);

        // then
        CounterRow tensors = row(layout, "memory_usage/device_mem/tensors");
        assertThat(layout.files().get(tensors.main())).isEqualTo("memory_usage/device_mem/tensors/total");
        assertThat(layout.files().get(tensors.present())).isEqualTo("memory_usage/device_mem/tensors/present");
        assertThat(layout.files().get(tensors.peak())).isEqualTo("memory_usage/device_mem/tensors/peak");
    }

    @Test
    void tellsDeviceMemoryAsAWholeFromItsCategories() {
        // when
        CounterLayout layout = CounterDiscovery.at(tree, CORE);

        // then
        assertThat(layout.files().get(row(layout, "memory_usage/device_mem").main()))
                .isEqualTo("memory_usage/device_mem/total");
        assertThat(layout.rows()).extracting(CounterRow::path).doesNotHaveDuplicates();
    }

    @Test
    void takesPlainFilesThatAreCountersAsValues() {
        // when
        CounterLayout layout = CounterDiscovery.at(tree, DEVICE);

        // then
        CounterRow ecc = row(layout, "hardware/mem_ecc_uncorrected");
        assertThat(ecc.mainField()).isEqualTo(CounterField.VALUE);
        assertThat(layout.files().get(ecc.main())).isEqualTo("hardware/mem_ecc_uncorrected");
    }

    @Test
    void acceptsAPlainFileWhereDocumentationHasOne() {
        // given
        String stats = CORE.statistics();
        tree.remove(stats + "/other_info/inference_count").set(stats + "/other_info/inference_count", "3\n");

        // when, then
        assertThat(row(CounterDiscovery.at(tree, CORE), "other_info/inference_count")
                        .mainField())
                .isEqualTo(CounterField.VALUE);
    }

    @Test
    void leavesOutWhatIsNotOneNumber() {
        assertThat(CounterDiscovery.at(tree, DEVICE).files())
                .noneMatch(file -> file.contains("power") || file.contains("unhealthy") || file.contains("heartbeat"));
        assertThat(CounterDiscovery.at(tree, CORE).files()).noneMatch(file -> file.contains("pe_cntrs"));
    }

    @Test
    void keepsACorruptFileOfAKnownGroup() {
        // given
        tree.put("neuron0 hardware/mem_ecc_uncorrected", "garbage");

        // when, then
        assertThat(CounterDiscovery.at(tree, DEVICE).files()).contains("hardware/mem_ecc_uncorrected");
    }

    @Test
    void takesCountersThatANewerDriverAdds() {
        // given
        String stats = DEVICE.statistics();
        tree.set(stats + "/fabric/link_errors", "4\n").set(stats + "/fabric/state", "fine\n");
        tree.counter(stats + "/fabric/retries", false);

        // when
        CounterLayout layout = CounterDiscovery.at(tree, DEVICE);

        // then
        assertThat(layout.files())
                .contains("fabric/link_errors", "fabric/retries/total")
                .doesNotContain("fabric/state");
    }

    @Test
    void doesNotFollowDirectoriesWithoutEnd() {
        // given
        tree.set(DEVICE.statistics() + "/loop".repeat(40) + "/total", "0\n");

        // when, then
        assertThat(CounterDiscovery.at(tree, DEVICE).files()).noneMatch(file -> file.startsWith("loop"));
    }

    @Test
    void knowsNoEccWhereTheHardwareHasNone() {
        // given an Inf1 device
        tree.remove(DEVICE.statistics() + "/hardware");

        // when, then
        assertThat(CounterDiscovery.at(tree, DEVICE).rows())
                .isNotEmpty()
                .allMatch(row -> row.kind() == CounterKind.MEMORY);
    }

    @Test
    void saysWhichDirectoryCannotBeListed() {
        // given
        tree.remove(CORE.statistics());

        // when, then
        assertThatThrownBy(() -> CounterDiscovery.at(tree, CORE))
                .isInstanceOf(NeuronSysfsException.class)
                .hasMessageContaining(
                        "/sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats could not be read");
    }

    @Test
    void watchesOthersWithFewFiles() {
        // when
        List<String> files = CounterDiscovery.at(tree, CORE).watch().files();

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
        assertThat(CounterDiscovery.at(tree, DEVICE).files()).contains("hardware/sram_ecc_uncorrected");
    }

    @Test
    void doesNotTakeAnEmptyPlaceForAQuietOne() {
        // given
        tree.remove(CORE.statistics()).set(CORE.statistics() + "/tensor_engine/pe_cntrs", "x\n");

        // when, then
        assertThatThrownBy(() -> CounterDiscovery.at(tree, CORE))
                .isInstanceOf(NeuronSysfsException.class)
                .hasMessageContaining("neuron_core1/stats could not be read")
                .hasMessageContaining("no counter is below it");
    }

    @Test
    void doesNotTakeAFailingDirectoryForAFile() {
        // given
        tree.failListing(CORE.statistics() + "/status", () -> new IOException("No such device"));

        // when, then
        assertThatThrownBy(() -> CounterDiscovery.at(tree, CORE))
                .isInstanceOf(NeuronSysfsException.class)
                .hasMessageContaining("neuron_core1/stats/status could not be read: IOException No such device");
    }

    private static CounterRow row(CounterLayout layout, String path) {
        return layout.rows().stream()
                .filter(row -> row.path().equals(path))
                .findFirst()
                .orElseThrow();
    }
}
