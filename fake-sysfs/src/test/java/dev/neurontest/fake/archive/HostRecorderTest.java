package dev.neurontest.fake.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.Fault;
import dev.neurontest.fake.files.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is recorded of a host, and what is not. */
class HostRecorderTest {

    private static final String DEVICES = "sys/devices/virtual/neuron_device";

    @TempDir
    private Path folder;

    private static FakeNeuronHost host() {
        return FakeNeuronHost.builder()
                .instance("trn1.32xlarge")
                .layout("driver-2.30")
                .start();
    }

    private Archive recorded(FakeNeuronHost host, boolean redacting) throws Exception {
        Path file = folder.resolve("host");
        HostRecorder.of(host.tree(), Clock.systemUTC(), redacting).record(file);
        return ArchiveReader.read(file);
    }

    @Test
    void directoriesAndNamesAreInTheOrderOfTheirNumbers() throws Exception {
        try (FakeNeuronHost host = host()) {
            // when
            Archive archive = recorded(host, false);

            // then
            assertThat(archive.directories().get("dev").entries().keySet())
                    .startsWith("neuron0", "neuron1", "neuron2", "neuron3")
                    .endsWith("neuron9", "neuron10", "neuron11", "neuron12", "neuron13", "neuron14", "neuron15");
            assertThat(List.copyOf(archive.directories().keySet())).isSortedAccordingTo(NameOrder.PATHS);
            assertThat(archive.directories()).doesNotContainKeys("proc", "sys", "sys/class");
        }
    }

    @Test
    void largestHostTakesLessThanAMegabyte() throws Exception {
        // given
        Path file = folder.resolve("host");
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("trn2.48xlarge").start()) {

            // when
            host.record(file);
        }

        // then
        assertThat(Files.size(file)).isLessThan(1_000_000);
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void fileThatHangsIsWrittenAsSuchAndTheOthersAreRead() throws Exception {
        // given
        Path file = folder.resolve("host");
        try (FakeNeuronHost host = host()) {
            host.device(0).fault(Fault.slow("info/serial_number", Duration.ofHours(1)));
            host.device(0).fault(Fault.slow("core_count", Duration.ofHours(1)));
            host.device(1).fault(Fault.errno("core_count", Errno.EIO));

            // when
            HostRecorder.of(new HostRoot.OfTree(host.tree()), Clock.systemUTC(), Duration.ofMillis(100))
                    .record(file);
            Archive archive = ArchiveReader.read(file);

            // then
            assertThat(archive.entry(DEVICES + "/neuron0/info/serial_number"))
                    .contains(new Entry.Unreadable(0644, "timeout"));
            assertThat(archive.entry(DEVICES + "/neuron0/core_count")).contains(new Entry.Unreadable(0444, "timeout"));
            assertThat(archive.entry(DEVICES + "/neuron1/core_count")).contains(new Entry.Unreadable(0444, "EIO"));
            assertThat(archive.text(DEVICES + "/neuron15/core_count")).contains("2");
        }
    }

    @Test
    void redactedSerialNumbersKeepTheirForm() throws Exception {
        try (FakeNeuronHost host = host()) {
            // when
            Archive archive = recorded(host, true);

            // then
            assertThat(archive.entry(DEVICES + "/neuron3/info/serial_number"))
                    .contains(new Entry.Content(0644, "0000000000000000\n"));
            assertThat(archive.header()).containsEntry("redacted", "serial_number");
            assertThat(recorded(host, false).text(DEVICES + "/neuron3/info/serial_number"))
                    .get()
                    .isNotEqualTo("0000000000000000");
        }
    }

    @Test
    void whatChangesIsRecordedWithItsTime() throws Exception {
        // given
        Path file = folder.resolve("host");
        try (FakeNeuronHost host = host()) {
            FakeCore core = host.core("neuron1/neuron_core0");
            Thread worker = new Thread(() -> {
                try (FakeProcess process = host.openProcess(core)) {
                    process.load(core, 4096);
                }
                host.device(7).remove();
            });

            // when
            worker.start();
            HostRecorder.of(host.tree(), Clock.systemUTC(), false)
                    .record(file, Duration.ofSeconds(2), Duration.ofMillis(100));
            worker.join();
        }
        Archive archive = ArchiveReader.read(file);

        // then
        assertThat(archive.header()).containsEntry("interval", "0.100");
        try (FakeNeuronHost replayed = FakeNeuronHost.builder().recording(file).start()) {
            replayed.timeline().end();
            assertThat(replayed.device(7).present()).isFalse();
            assertThat(replayed.tree().read(DEVICES + "/neuron1/neuron_core0/stats/other_info/model_load_count/total"))
                    .asString()
                    .isEqualTo("1\n");
        }
    }

    @Test
    void whatIsNewIsSaidToBe() throws IOException {
        // given
        StringBuilder text = new StringBuilder();
        ArchiveText archive = new ArchiveText(text);
        Entry one = new Entry.Content(0644, "1");
        archive.directories(Map.of("dev", new Archive.Directory(0755, Map.of("a", one))));
        Step.Changed second = new Step.Changed("dev", 0755, new TreeMap<>(Map.of("a", one, "b", one)));
        Step.Changed below = new Step.Changed("dev/x", 0755, Map.of("c", one));

        // when
        archive.look(new Archive.Look(Duration.ZERO, List.of(second, below)));
        archive.look(new Archive.Look(Duration.ZERO, List.of(second, below)));

        // then
        assertThat(text).hasToString("""

                directory 0755 dev
                 a 0644 = 1
                at 0.000
                directory 0755 dev
                 a 0644 = 1
                 new b 0644 = 1
                new directory 0755 dev/x
                 c 0644 = 1
                at 0.000
                directory 0755 dev
                 a 0644 = 1
                 b 0644 = 1
                directory 0755 dev/x
                 c 0644 = 1
                """);
    }

    @Test
    void onlyWhatDiffersIsAChange() {
        // given
        Archive.Directory device = new Archive.Directory(0755, Map.of("a", new Entry.Content(0644, "1")));
        Archive.Directory other = new Archive.Directory(0755, Map.of("a", new Entry.Content(0644, "2")));

        // when / then
        assertThat(HostRecorder.changes(Map.of("dev", device), Map.of("dev", device)))
                .isEmpty();
        assertThat(HostRecorder.changes(Map.of("dev", device), Map.of("dev", other)))
                .containsExactly(new Step.Changed("dev", 0755, other.entries()));
        assertThat(HostRecorder.changes(Map.of("dev", device), Map.of("dev", new Archive.Directory(0755, Map.of()))))
                .containsExactly(new Step.Changed("dev", 0755, Map.of("a", new Entry.Gone())));
        assertThat(HostRecorder.changes(
                        new TreeMap<>(Map.of("dev", device, "dev/x", device, "dev/x/y", device)),
                        Map.of("dev", device)))
                .containsExactly(new Step.Gone("dev/x"));
    }

    @Test
    void whereThereIsNoHostNothingIsWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("host"), "an older recording");
        assertThatThrownBy(() -> HostRecorder.of(Files.createDirectory(folder.resolve("empty")), false)
                        .record(file))
                .hasMessage("there is no Neuron host to record: none of dev, sys/class/neuron_device,"
                        + " sys/devices/virtual/dmi/id, sys/devices/virtual/neuron_device, sys/module/neuron is there");
        assertThat(file).hasContent("an older recording");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(Path::getFileName).map(Path::toString).toList())
                    .containsExactlyInAnyOrderElementsOf(List.of("host", "empty"));
        }
    }
}
