package dev.neurontest.fake;

import static dev.neurontest.fake.ArchiveFixture.NEURON0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of a host from an archive, as other programs see it. */
@DisabledOnOs(OS.WINDOWS)
class RecordedViewsIT {

    private static final String TIMELINE = "timeline\n"
            + "at 0.100\n"
            + "directory 0755 " + NEURON0 + "/neuron_core1/stats/status/success\n"
            + " total 0644 = 20\\n\n"
            + "directory 0755 " + NEURON0 + "/stats/power\n"
            + " utilization 0444 = POWER_STATUS_VALID,1,0.00,2.00,1.00\\n\n"
            + "mark busy\n"
            + "at 0.200\n"
            + "gone " + NEURON0 + "\n"
            + "mark lost\n";

    @TempDir
    private Path folder;

    private FakeNeuronHost start(ArchiveFixture archive, FakeView view) throws IOException {
        FakeNeuronHost host = FakeNeuronHost.builder()
                .recording(archive.in(folder))
                .view(view)
                .start();
        host.directory();
        assumeThat(host.viewFallback()).as("why there is no FUSE view").isEmpty();
        return host;
    }

    @ParameterizedTest
    @EnumSource(FakeView.class)
    void filesFollowTheTimeline(FakeView view) throws Exception {
        // given
        try (FakeNeuronHost host =
                start(ArchiveFixture.of("inf2.xlarge", "driver-2.x").add(TIMELINE), view)) {
            Path neuron0 = host.directory().resolve(NEURON0);
            assertThat(neuron0.resolve("neuron_core1/stats/status/success/total"))
                    .hasContent("12\n");

            // when, then
            host.timeline().seek("busy");
            host.awaitPublished();
            assertThat(neuron0.resolve("neuron_core1/stats/status/success/total"))
                    .hasContent("20\n");
            assertThat(neuron0.resolve("stats/power/utilization")).hasContent("POWER_STATUS_VALID,1,0.00,2.00,1.00\n");

            // when, then
            host.timeline().seek("lost");
            host.awaitPublished();
            assertThat(neuron0).doesNotExist();
        }
    }

    /** Verifies that a foreign write is applied before later changes, as for any counter. */
    @Test
    void foreignWriteIsAppliedBeforeLaterChanges() throws Exception {
        try (FakeNeuronHost host =
                start(ArchiveFixture.of("inf2.xlarge", "driver-2.x").add(TIMELINE), FakeView.DIRECTORY)) {
            Path total = host.directory().resolve(NEURON0).resolve("neuron_core1/stats/status/success/total");
            for (int round = 0; round < 40; round++) {
                // given
                host.timeline().rewind();
                host.awaitPublished();
                assertThat(total).hasContent("12\n");

                // when
                Files.writeString(total, "0");
                host.timeline().seek("busy");

                // then
                host.awaitPublished();
                assertThat(total).as("round %s", round).hasContent("20\n");
            }
        }
    }

    /** Verifies that unloading the driver removes its files. A recording names only the topmost removed directory. */
    @ParameterizedTest
    @EnumSource(FakeView.class)
    void filesDisappearAndReturnWithTheDriver(FakeView view) throws Exception {
        // given
        String timeline = "timeline\nat 1.0\ngone dev\ngone sys/class/neuron_device\n"
                + "gone sys/devices/virtual/neuron_device\ngone sys/module/neuron\nmark unloaded\n";
        try (FakeNeuronHost host =
                start(ArchiveFixture.of("inf2.xlarge", "driver-2.30").add(timeline), view)) {
            Path root = host.directory();

            // when, then
            host.timeline().seek("unloaded");
            host.awaitPublished();
            assertThat(root.resolve("dev")).isEmptyDirectory();
            assertThat(root.resolve("sys/class/neuron_device/neuron0")).doesNotExist();
            assertThat(root.resolve("sys/devices/virtual/neuron_device")).isEmptyDirectory();
            assertThat(host.tree().list("sys/class/neuron_device")).isEmpty();
            assertThat(host.device(0).present()).isFalse();

            // when, then
            host.timeline().rewind();
            host.awaitPublished();
            assertThat(root.resolve("dev/neuron0")).exists();
            assertThat(root.resolve("sys/class/neuron_device/neuron0/core_count"))
                    .hasContent("2");
            assertThat(root.resolve("sys/module/neuron/version")).exists();
        }
    }

    /** Verifies the major number, by which programs count devices of the driver. */
    @ParameterizedTest
    @EnumSource(FakeView.class)
    void deviceNodesMatchThoseOfAnUnrecordedHost(FakeView view) throws Exception {
        // given
        ArchiveFixture archive = ArchiveFixture.of("inf2.xlarge", "driver-2.30");
        try (FakeNeuronHost like = FakeNeuronHost.builder()
                        .instance("inf2.xlarge")
                        .view(view)
                        .start();
                FakeNeuronHost host = start(archive, view)) {
            Path expected = like.directory();
            Path root = host.directory();

            // when, then
            assertThat(root.resolve("proc/devices")).hasSameTextualContentAs(expected.resolve("proc/devices"));
            for (String attribute : List.of("isOther", "rdev", "mode")) {
                assertThat(Files.getAttribute(root.resolve("dev/neuron0"), "unix:" + attribute))
                        .as(attribute)
                        .isEqualTo(Files.getAttribute(expected.resolve("dev/neuron0"), "unix:" + attribute));
            }
        }
    }

    @Test
    void hostWithoutDevicesHasEmptyDirectories() throws IOException {
        Path bare = Files.writeString(folder.resolve("bare"), """
                neuron-archive 1
                directory 0755 sys/devices/virtual/dmi/id
                 product_name 0444 = m7i.large\\n
                end
                """);
        try (FakeNeuronHost host = FakeNeuronHost.builder().recording(bare).start()) {
            assertThat(host.directory().resolve("dev")).isEmptyDirectory();
            assertThat(host.directory().resolve("sys/devices/virtual/neuron_device"))
                    .isEmptyDirectory();
        }
    }
}
