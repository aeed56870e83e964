package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.configuration.BadSettingException;
import dev.neurontest.internal.configuration.CoreNumbering;
import dev.neurontest.internal.configuration.Origin;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.device.CoreMap;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.platform.PlatformUnavailableException;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the choice of the host, and of a missing host. */
class PlatformTest {

    @TempDir
    private Path output;

    private NeuronTestKit kit() {
        return new NeuronTestKit(output);
    }

    static boolean hasDevices() {
        return Files.exists(Path.of("/sys/devices/virtual/neuron_device"));
    }

    @NeuronTest
    static class OneFixture {
        @Test
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class SimulatedFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void simulated(Workloads workloads, DevicePrints prints) {
            workloads.command("echo", "acc [1 2]").simulated().run();
            assertThat(prints).withPrefix("acc").onlyTensor().isEqualTo(new int[] {1, 2});
        }

        @Test
        void onCore(NeuronCore core, Workloads workloads) {}

        @Nested
        class Inner {
            @Test
            void onHost(NeuronHost host, Workloads workloads) {}
        }
    }

    @Nested
    @DisabledIf("dev.neurontest.PlatformTest#hasDevices")
    class WithoutHardware {

        private static final String ADVICE = "driver not loaded; on an instance, load it (sudo modprobe neuron);"
                + " to run without hardware: neuron.test.platform=fake:trn1.2xlarge";

        @Test
        void testsAreSkippedWithTheReason() {
            NeuronTestKit kit = kit().on("auto");

            assertThat(kit.launch(OneFixture.class).getTestsSkippedCount()).isEqualTo(1);

            assertThat(kit.events(RunEvent.TestFinished.class)).singleElement().satisfies(finished -> {
                assertThat(finished.test().name()).isEqualTo("PlatformTest$OneFixture > test(NeuronCore)");
                assertThat(finished.outcome()).isEqualTo(Outcome.SKIPPED);
                assertThat(finished.reason())
                        .contains("no /sys/devices/virtual/neuron_device")
                        .endsWith(ADVICE);
            });
        }

        @Test
        void simulatedKernelsRunWithoutHost() {
            NeuronTestKit kit = kit().on("auto");

            assertThat(kit.launch(SimulatedFixture.class).getTestsSkippedCount())
                    .isEqualTo(2);

            assertThat(kit.events(RunEvent.TestFinished.class))
                    .extracting(finished -> finished.test().name(), RunEvent.TestFinished::outcome)
                    .containsExactlyInAnyOrder(
                            tuple("PlatformTest$SimulatedFixture > onCore(NeuronCore, Workloads)", Outcome.SKIPPED),
                            tuple("PlatformTest$SimulatedFixture > simulated(Workloads, DevicePrints)", Outcome.PASSED),
                            tuple(
                                    "PlatformTest$SimulatedFixture > Inner > onHost(NeuronHost, Workloads)",
                                    Outcome.SKIPPED));
            assertThat(kit.events(RunEvent.PlatformChosen.class)).isEmpty();
        }

        @Test
        void simulatedKernelsFailWhereHardwareIsRequired() {
            NeuronTestKit kit = kit().on("real");

            assertThat(NeuronTestKit.failures(kit.run(SimulatedFixture.class))).isNotEmpty();
        }

        @Test
        void settingsAreInRunFileBeforeHostFailsToOpen() {
            NeuronTestKit kit =
                    kit().on("real").with("neuron.test.runtime.library", "/opt/token=hf_0123456789abcdefghij");

            kit.launch(OneFixture.class);

            assertThat(kit.events(RunEvent.PlatformChosen.class)).isEmpty();
            assertThat(kit.events(RunEvent.Configured.class))
                    .containsExactly(
                            new RunEvent.Configured("neuron.test.platform", "real", Origin.JUNIT_PARAMETER),
                            new RunEvent.Configured(
                                    "neuron.test.runtime.library", "/opt/token=***", Origin.JUNIT_PARAMETER));
        }

        @Test
        void testsFailWithReasonWhenHardwareIsRequired() {
            assertThat(onlyFailure(kit().on("real").run(OneFixture.class)))
                    .isInstanceOf(PlatformUnavailableException.class)
                    .hasMessageEndingWith(ADVICE);
        }
    }

    @Test
    void fakeWithoutFuseUsesFilesAndNotesWhy() {
        NeuronTestKit kit = kit().on("fake:inf2.xlarge?view=fuse");
        String system = System.getProperty("os.name");

        // when
        System.setProperty("os.name", "Plan 9");
        try {
            kit.run(OneFixture.class).testEvents().assertStatistics(stats -> stats.succeeded(1));
        } finally {
            System.setProperty("os.name", system);
        }

        // then
        assertThat(kit.notices())
                .contains("The fake host has no FUSE view, ordinary files are used instead: FUSE requires Linux,"
                        + " but this is Plan 9");
    }

    @Nested
    class MisspeltSetting {

        private static final String WARNING =
                "configuration parameter neuron.test.platfrom is not a setting and has no effect; did you mean"
                        + " neuron.test.platform?";

        @Test
        void isNamedWithTheNearestSetting() {
            assertThatWarns(kit().with("neuron.test.platfrom", "real"));
        }

        @Test
        void isNamedOnRealPlatform() {
            assertThatWarns(kit().on("real").with("neuron.test.platfrom", "fake:trn1.2xlarge"));
        }

        @Test
        void isNamedFromAFile() {
            assertThatWarns(kit().fromFile("misspelt.properties"));
        }

        private static void assertThatWarns(NeuronTestKit kit) {
            // when
            kit.launch(OneFixture.class);

            // then
            assertThat(kit.notices()).containsOnlyOnce(WARNING);
        }
    }

    @Nested
    class WrongSetting {

        private Throwable failure(String platform) {
            List<Throwable> failures = NeuronTestKit.failures(kit().on(platform).run(OneFixture.class));
            assertThat(failures).hasSize(1);
            return failures.get(0);
        }

        @Test
        void unknownInstanceTypeFailsNamingKnownTypes() {
            assertThat(failure("fake:trn9.huge"))
                    .hasMessageContaining("trn9.huge")
                    .hasMessageContaining("trn1.32xlarge");
        }

        @Test
        void wrongHostRootFailsNamingDirectory() {
            assertThat(failure("root:" + output)).hasMessageContaining(output + " is not a host root");
        }

        @Test
        void badSettingNeededOnlyLaterFailsAtOnce() {
            assertThat(onlyFailure(kit().with("neuron.test.undecided", "maybe").run(OneFixture.class)))
                    .hasMessageContaining("neuron.test.undecided");
            assertThat(onlyFailure(
                            kit().with("neuron.test.settle.interval", "5 s").run(OneFixture.class)))
                    .hasMessageContaining("neuron.test.settle.interval")
                    .hasMessageContaining("neuron.test.settle.timeout");
        }

        @Test
        void unknownPlatformFailsNamingSettingAndValues() {
            assertThat(failure("faek:trn1.2xlarge"))
                    .isInstanceOf(BadSettingException.class)
                    .hasMessageContaining("neuron.test.platform")
                    .hasMessageContaining("fake");
        }
    }

    @NeuronTest
    static class AsksForTheDirectoryFixture {
        private static Path directory = Path.of("");

        @Test
        void test(NeuronCore core, FakeNeuronHost fake) {
            directory = fake.directory();
        }
    }

    @Nested
    class FakeWithFolder {

        @Test
        void keepsFilesInFolderAndRemovesThem() throws IOException {
            // given
            Path folder = Files.createDirectory(output.resolve("folder")).toRealPath();

            // when
            List<Throwable> failures = NeuronTestKit.failures(kit().on("fake:trn1.2xlarge")
                    .with("neuron.test.fake.folder", folder.toString())
                    .run(AsksForTheDirectoryFixture.class));

            // then
            assertThat(failures).isEmpty();
            assertThat(AsksForTheDirectoryFixture.directory).startsWithRaw(folder);
            assertThat(folder).isEmptyDirectory();
        }

        @Test
        void failsNamingSettingWhenFolderIsMissing() {
            Path folder = output.resolve("folder");

            assertThat(onlyFailure(kit().on("fake:trn1.2xlarge?view=directory")
                            .with("neuron.test.fake.folder", folder.toString())
                            .run(OneFixture.class)))
                    .isInstanceOf(PlatformUnavailableException.class)
                    .hasMessageContainingAll(folder + " cannot be used", "neuron.test.fake.folder");
            assertThat(folder).doesNotExist();
        }
    }

    @Nested
    class HostDirectory {

        @Test
        void runsTests() {
            try (FakeNeuronHost host =
                    FakeNeuronHost.builder().instance("inf2.xlarge").start()) {
                kit().on("root:" + host.directory())
                        .run(OneFixture.class)
                        .testEvents()
                        .assertStatistics(stats -> stats.succeeded(1));
            }
        }
    }

    @Nested
    class PlatformWithoutFake {

        @NeuronTest
        static class ScriptsFixture {
            @Test
            void scripts(NeuronCore core, FakeNeuronHost fake) {}

            @Test
            void doesNot(NeuronCore core, Optional<FakeNeuronHost> fake) {
                assertThat(fake).isEmpty();
            }
        }

        @Test
        void skipsTestsThatScriptFakeHost() {
            try (FakeNeuronHost host =
                    FakeNeuronHost.builder().instance("inf2.xlarge").start()) {
                kit().on("root:" + host.directory())
                        .run(ScriptsFixture.class)
                        .testEvents()
                        .assertStatistics(stats -> stats.succeeded(1).skipped(1).failed(0));
            }
        }
    }

    @Nested
    class SeenByAnOrdinaryUser {

        @NeuronTest
        static class ConnectedFixture {
            @Test
            void test(@Count(value = 2, placement = Placement.CONNECTED_DEVICES) List<NeuronCore> cores) {}
        }

        private static final String PLATFORM = "fake:inf2.48xlarge@driver-2.x?user=ordinary";

        @Test
        void countsItsCoresAlthoughCoreCountIsUnreadable() {
            kit().on(PLATFORM).run(OneFixture.class).testEvents().assertStatistics(stats -> stats.succeeded(1));
        }

        @Test
        void failsForConnectedCoresWithReason() {
            assertThat(onlyFailure(kit().on(PLATFORM).run(ConnectedFixture.class)))
                    .hasMessageContaining("connected_devices")
                    .hasMessageContaining("0400")
                    .hasMessageContaining("root");
        }
    }

    @Nested
    class WithCoreMapSetting {

        @ParameterizedTest
        @EnumSource(CoreNumbering.class)
        void usesConfiguredCoreMap(CoreNumbering numbering) {
            Map<String, String> parameters = Map.of(
                    "neuron.test.platform",
                    "fake:trn2.3xlarge",
                    "neuron.test.core.map",
                    numbering.name().replace('_', '-'));
            Settings settings = Settings.of(name -> Optional.ofNullable(parameters.get(name)));

            try (Platform platform = Platform.open(settings)) {
                CoreMap expected =
                        numbering == CoreNumbering.BY_FAMILY ? CoreMap.TRN2 : CoreMap.valueOf(numbering.name());
                assertThat(platform.host().coreMap()).isEqualTo(expected);
            }
        }
    }
}
