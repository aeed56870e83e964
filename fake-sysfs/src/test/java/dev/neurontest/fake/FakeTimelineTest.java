package dev.neurontest.fake;

import static dev.neurontest.fake.ArchiveFixture.CORE1;
import static dev.neurontest.fake.ArchiveFixture.NEURON0;
import static dev.neurontest.fake.HostFixture.counter;
import static dev.neurontest.fake.HostFixture.read;
import static dev.neurontest.fake.HostFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.neurontest.fake.internal.files.FakeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the timeline of a recorded host. */
class FakeTimelineTest {

    private static final String SUCCESS = "neuron0/neuron_core1/stats/status/success";
    private static final String TIMELINE = "timeline\n"
            + "at 0.000\n"
            + "mark body started\n"
            + "at 0.100\n"
            + "directory 0755 " + CORE1 + "/stats/status/success\n"
            + " present 0644 = 8\\n\n"
            + " total 0644 = 20\\n\n"
            + "at 0.200\n"
            + "directory 0755 " + CORE1 + "/stats/status/timeout\n"
            + " total 0644 ! EIO\n"
            + "directory 0755 " + NEURON0 + "/stats/power\n"
            + " utilization 0644 = POWER_STATUS_VALID,1,0.00,2.00,1.00\\n\n"
            + "mark body ended\n"
            + "at 0.300\n"
            + "directory 0755 " + CORE1 + "/stats/status/timeout\n"
            + " total 0644 = 99\\n\n";

    @TempDir
    private Path folder;

    private FakeNeuronHost host(String timeline) throws IOException {
        return ArchiveFixture.of("trn1.2xlarge", "driver-2.x").add(timeline).start(folder);
    }

    @Test
    void startsAtZeroWithoutApplyingChanges() throws IOException {
        try (FakeNeuronHost host = host(TIMELINE)) {
            assertThat(host.timeline().marks()).containsExactly("body started", "body ended");
            assertThat(host.timeline().length()).isEqualTo(Duration.ofMillis(300));
            assertThat(host.timeline().position()).isZero();
            assertThat(counter(host, SUCCESS)).isEqualTo("12/12");
        }
    }

    @Test
    void seekAppliesOnlyChangesBeforeTheMark() throws IOException {
        // given
        try (FakeNeuronHost host = host(TIMELINE)) {

            // when
            host.timeline().seek("body ended");

            // then
            assertThat(counter(host, SUCCESS)).isEqualTo("20/8");
            assertThat(read(host, "neuron0/stats/power/utilization")).startsWith("POWER_STATUS_VALID,1,");
            assertThatThrownBy(() -> read(host, "neuron0/neuron_core1/stats/status/timeout/total"))
                    .hasMessageContaining("EIO");
            assertThat(host.timeline().position()).isEqualTo(Duration.ofMillis(200));
            assertThat(host.journal().toString()).contains("neuron0/neuron_core1 success replayed");

            // when
            host.timeline().end();

            // then
            assertThat(read(host, "neuron0/neuron_core1/stats/status/timeout/total"))
                    .isEqualTo("99\n");
        }
    }

    @Test
    void seekingBackRestoresEarlierValues() throws IOException {
        // given
        try (FakeNeuronHost host = host(TIMELINE)) {
            host.timeline().end();

            // when
            host.timeline().seek("body started");

            // then
            assertThat(counter(host, SUCCESS)).isEqualTo("12/12");
            assertThat(read(host, "neuron0/neuron_core1/stats/status/timeout/total"))
                    .isEqualTo("2\n");
            assertThat(read(host, "neuron0/stats/power/utilization")).startsWith("POWER_STATUS_NO_DATA");

            // when
            host.timeline().end();
            host.timeline().rewind();

            // then
            assertThat(counter(host, SUCCESS)).isEqualTo("12/12");
            assertThat(host.timeline().position()).isZero();
        }
    }

    @Test
    void playingTakesTheRecordedTime() throws IOException {
        // given
        try (FakeNeuronHost host = host(TIMELINE)) {
            long begin = System.nanoTime();

            // when
            host.timeline().play();
            await().until(() ->
                    host.timeline().position().equals(host.timeline().length()));

            // then
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
            assertThat(counter(host, SUCCESS)).isEqualTo("20/8");
            assertThat(host.timeline().position()).isEqualTo(Duration.ofMillis(300));
        }
    }

    @Test
    void seekingEndsPlaying() throws IOException {
        // given
        try (FakeNeuronHost host = host(TIMELINE.replace("at 0.300", "at 3000.000"))) {
            host.timeline().play(1000);
            host.timeline().pause();
            host.timeline().play();

            // when
            host.timeline().end();

            // then
            assertThat(host.timeline().position()).isEqualTo(Duration.ofSeconds(3000));
        }
    }

    @Test
    void replayedChangeWakesPollersOfTheFile() throws IOException {
        // given
        try (FakeNeuronHost host = host(TIMELINE);
                FakeDescriptor total = open(host, "success/total");
                FakeDescriptor other = open(host, "failure/total")) {
            write(host, "neuron0/info/notify_delay", "0");
            AtomicInteger woken = new AtomicInteger();
            total.onSignal(woken::incrementAndGet);
            assertThat(total.signalled()).isFalse();

            // when
            host.timeline().end();

            // then
            assertThat(woken).hasValue(1);
            assertThat(total.signalled()).isTrue();
            assertThat(other.signalled()).isFalse();
        }
    }

    private static FakeDescriptor open(FakeNeuronHost host, String file) throws IOException {
        FakeDescriptor descriptor = host.tree().open(CORE1 + "/stats/status/" + file, FakeAccess.READ);
        descriptor.read();
        return descriptor;
    }

    @Test
    void recordedDeviceDisappearsAndReturns() throws IOException {
        // given
        String text = ArchiveFixture.of("trn1.2xlarge", "driver-2.x").text();
        int begin = text.indexOf("directory 0755 " + NEURON0 + "\n");
        String device = text.substring(begin, text.indexOf("directory 0755 sys/module/neuron"))
                .replace("core_count 0400 = 2", "core_count 0400 = 4");
        String timeline = "timeline\nat 1.0\n"
                + "gone " + NEURON0 + "\n"
                + "directory 0755 dev\n neuron0 gone\n"
                + "directory 0755 sys/class/neuron_device\n neuron0 gone\n"
                + "mark lost\n"
                + "at 2.0\n" + device + "directory 0755 dev\n neuron0 0666 device\n"
                + "directory 0755 sys/class/neuron_device\n neuron0 -> ../../devices/virtual/neuron_device/neuron0\n";
        try (FakeNeuronHost host = host(timeline)) {
            FakeFile open = host.tree().open(NEURON0 + "/core_count");
            assertThat(new String(open.read(), StandardCharsets.US_ASCII)).isEqualTo("2");

            // when
            host.timeline().seek("lost");

            // then
            assertThat(host.device(0).present()).isFalse();
            assertThat(host.tree().list("dev")).isEmpty();
            assertThatThrownBy(open::read).hasMessageContaining("ENODEV");

            // when
            host.timeline().end();

            // then
            assertThat(host.tree().list("sys/class/neuron_device")).contains("neuron0");
            assertThat(new String(open.read(), StandardCharsets.US_ASCII)).isEqualTo("4");
        }
    }

    @Test
    void deviceRemovedAgainBeforeTheMarkIsAbsent() throws IOException {
        // given
        String device = "directory 0755 " + NEURON0 + "\n core_count 0400 = 4\n";
        String gone = "gone " + NEURON0 + "\n";
        String timeline = "timeline\nat 1.0\n" + gone + "at 2.0\n" + device + "at 3.0\n" + gone + "mark lost\n";
        try (FakeNeuronHost host = host(timeline)) {

            // when
            host.timeline().seek("lost");

            // then
            assertThat(host.device(0).present()).isFalse();

            // when
            host.timeline().rewind();

            // then
            assertThat(host.device(0).present()).isTrue();
            assertThat(read(host, "neuron0/core_count")).isEqualTo("2");
        }
    }

    @Test
    void rewindUndoesUnrecordedChanges() throws IOException {
        // given
        try (FakeNeuronHost host = host(TIMELINE)) {
            write(host, "neuron0/neuron_core1/stats/status/success/total", "0");
            write(host, "neuron0/info/notify_delay", "0");
            host.device(0).ecc("sram_uncorrected", 2);
            host.device(0).remove();

            // when
            host.timeline().rewind();

            // then
            assertThat(counter(host, SUCCESS)).isEqualTo("12/12");
            assertThat(read(host, "neuron0/info/notify_delay")).isEqualTo("-1\n");
            assertThat(read(host, "neuron0/stats/hardware/sram_ecc_uncorrected"))
                    .isEqualTo("0\n");
        }
    }

    @Test
    void recordedFilesAndDirectoriesAppearAndDisappear() throws IOException {
        // given
        String timeline = "timeline\nat 1.0\n"
                + "gone " + CORE1 + "/stats/tensor_engine\n"
                + "directory 0755 " + NEURON0 + "\n core_count gone\n new fw_build 0444 = 7\\n\n"
                + "new directory 0755 " + NEURON0 + "/new\n file 0444 = x\n";
        try (FakeNeuronHost host = host(timeline)) {
            FakeFile open = host.tree().open(NEURON0 + "/core_count");
            open.open(FakeAccess.READ).close();
            assertThatThrownBy(() -> read(host, "neuron0/fw_build")).isInstanceOf(NoSuchFileException.class);
            assertThat(host.tree().list(NEURON0)).contains("core_count").doesNotContain("fw_build", "new");

            // when
            host.timeline().end();

            // then
            assertThat(read(host, "neuron0/fw_build")).isEqualTo("7\n");
            assertThat(read(host, "neuron0/new/file")).isEqualTo("x");
            assertThat(host.tree().list(NEURON0)).contains("fw_build", "new").doesNotContain("core_count");
            assertThat(host.tree().list(CORE1 + "/stats")).doesNotContain("tensor_engine");
            assertThatThrownBy(open::read).hasMessageContaining("ENODEV");
            assertThatThrownBy(() -> open.open(FakeAccess.READ)).isInstanceOf(NoSuchFileException.class);

            // when
            host.timeline().rewind();

            // then
            assertThat(open.open(FakeAccess.READ).read()).isEqualTo(open.read());
            assertThat(host.tree().list(NEURON0)).contains("core_count").doesNotContain("fw_build", "new");
            assertThat(host.tree().list(CORE1 + "/stats")).contains("tensor_engine");
        }
    }

    @Test
    void handleFollowsAChangedLink() throws IOException {
        // given
        String links = "directory 0755 sys/class/neuron_device\n extra ";
        String timeline = "timeline\nat 1.0\n" + links.replace(" extra ", " new extra ")
                + "-> ../../devices/virtual/neuron_device/neuron0\nmark made\n"
                + "at 2.0\n" + links + "-> ../../devices/virtual/neuron_device/neuron0/info\nmark changed\n"
                + "at 3.0\n" + links + "gone\n";
        try (FakeNeuronHost host = host(timeline)) {
            FakeFile behind = host.tree().open("sys/class/neuron_device/extra/core_count");
            host.timeline().seek("made");
            assertThat(behind.open(FakeAccess.READ).read()).isNotEmpty();

            // when, then
            host.timeline().seek("changed");
            assertThatThrownBy(() -> behind.open(FakeAccess.READ)).isInstanceOf(NoSuchFileException.class);

            // when, then
            host.timeline().end();
            assertThatThrownBy(() -> behind.open(FakeAccess.READ)).isInstanceOf(NoSuchFileException.class);
        }
    }

    @Test
    void speedOfZeroIsRefused() throws IOException {
        try (FakeNeuronHost host = host(TIMELINE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> host.timeline().play(0))
                    .withMessage("the speed of a timeline must be above 0, but was 0.0");
        }
    }

    @Test
    void unrecordedHostHasAnEmptyTimeline() {
        try (FakeNeuronHost host = HostFixture.host("trn1.2xlarge", "driver-2.30")) {
            host.timeline().play();
            host.timeline().end();
            assertThat(host.timeline().marks()).isEmpty();
            assertThat(host.timeline().length()).isZero();
        }
    }
}
