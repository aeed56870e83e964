package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.Fault;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.merge.RunReports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Tests with problems on the host: JUnit's result, and the gates that fail. */
class FalseGreenHostsIT {

    private static final String LIVE = "fake:trn1.2xlarge@driver-2.30";
    private static final String DEFERRED = "fake:trn1.2xlarge@driver-2.29?user=ordinary";
    private static final String DEFERRED_FILES = "fake:trn1.2xlarge@driver-2.29?view=directory";
    private static final String HEALTH = "fake:trn2.48xlarge@driver-2.30";

    @TempDir
    private Path folder;

    private static FakeCore physical(FakeNeuronHost fake, NeuronCore core) {
        return fake.core(core);
    }

    private static void execute(FakeNeuronHost fake, FakeCore core, String status, int times) {
        try (FakeProcess process = fake.openProcess("workload", core)) {
            process.execute(core, NrtStatus.of(status), times);
        }
    }

    // Reloaded drivers.

    @NeuronTest
    static class ReloadFixture {
        @Test
        void wipesErrors(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, physical(fake, core), "NRT_TIMEOUT", 7);
            fake.reloadDriver();
        }
    }

    @NeuronTest
    static class ReloadOfIdleFixture {
        @Test
        void reloads(NeuronCore core, FakeNeuronHost fake) {
            fake.reloadDriver();
        }
    }

    @NeuronTest
    static class ReloadCountFixture {
        @Test
        @ExpectCounter(value = "inference_count", delta = 100)
        void countsAfterAReload(NeuronCore core, FakeNeuronHost fake) {
            fake.reloadDriver();
            execute(fake, physical(fake, core), "NRT_SUCCESS", 100);
        }
    }

    @NeuronTest
    static class ReloadSameFixture {
        @Test
        @ExpectCounter(value = "inference_count", delta = 0)
        void readsTheSame(NeuronCore core, FakeNeuronHost fake) {
            fake.reloadDriver();
        }
    }

    @NeuronTest
    static class ReloadLeakFixture {
        @Test
        @ExpectDeviceMemoryReturned
        void leaks(NeuronCore core, FakeNeuronHost fake) {
            FakeCore physical = physical(fake, core);
            try (FakeProcess process = fake.openProcess("workload", physical)) {
                process.allocate(physical, "tensors", 4096);
            }
            fake.reloadDriver();
        }
    }

    @NeuronTest
    static class ReloadPeakFixture {
        @Test
        @ExpectPeakMemory(category = "device_mem", atMost = "1 MiB")
        void usesMuchMemory(NeuronCore core, FakeNeuronHost fake) {
            FakeCore physical = physical(fake, core);
            try (FakeProcess process = fake.openProcess("workload", physical)) {
                process.allocate(physical, "tensors", 1 << 24);
            }
            fake.reloadDriver();
        }
    }

    @NeuronTest
    static class ReloadInBeforeAllFixture {
        @BeforeAll
        static void reload(FakeNeuronHost fake) {
            fake.reloadDriver();
        }

        @Test
        void passes(NeuronCore core) {}
    }

    @NeuronTest
    static class ClassLeaseReloadFixture {
        @BeforeAll
        static void reload(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, physical(fake, core), "NRT_TIMEOUT", 7);
            fake.reloadDriver();
        }

        @Test
        void passes() {}
    }

    @NeuronTest
    static class DeviceComesBackFixture {
        @Test
        void isAnotherOne(NeuronCore core, FakeNeuronHost fake) {
            fake.device(0).remove();
            fake.device(0).restore();
        }
    }

    @NeuronTest
    static class ReloadBetweenFixture {
        @Test
        void passes(NeuronCore core) {}

        @AfterAll
        static void reload(FakeNeuronHost fake) {
            execute(fake, fake.core("neuron0/neuron_core1"), "NRT_TIMEOUT", 7);
            fake.reloadDriver();
        }
    }

    @NeuronTest
    static class AppearsFixture {
        @Test
        void seesANewCounter(NeuronCore core, FakeNeuronHost fake) throws IOException {
            Path status = fake.directory()
                    .resolve("sys/devices/virtual/neuron_device/"
                            + core.physicalCores().get(0))
                    .resolve("stats/status/hw_quantum_error");
            Files.writeString(Files.createDirectory(status).resolve("total"), "3\n");
            physical(fake, core).fault(Fault.garbage("stats/memory_usage/host_mem/total", "?\n"));
            fake.awaitPublished();
        }
    }

    // Errors that belong to no test.

    @NeuronTest
    static class OtherCoreFixture {
        @Test
        void runsOnTheWrongCore(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, fake.core("neuron0/neuron_core1"), "NRT_TIMEOUT", 3);
        }
    }

    @NeuronTest
    static class OtherDeviceFixture {
        @Test
        void runsOnTheWrongDevice(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, fake.core("neuron5/neuron_core1"), "NRT_TIMEOUT", 3);
        }
    }

    @NeuronTest
    static class BetweenTestsFixture {
        @Test
        void passes(NeuronCore core) {}

        @AfterAll
        static void afterwards(FakeNeuronHost fake) {
            execute(fake, fake.core("neuron0/neuron_core0"), "NRT_TIMEOUT", 3);
        }
    }

    @NeuronTest
    static class FailsFixture {
        @Test
        void failsForItsError(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, physical(fake, core), "NRT_TIMEOUT", 3);
        }
    }

    @NeuronTest
    static class AllowsFixture {
        @Test
        @AllowCounter("timeout")
        void allowsItsError(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, physical(fake, core), "NRT_TIMEOUT", 3);
        }
    }

    @NeuronTest
    static class ExpectsFixture {
        @Test
        @AllowCounter("timeout")
        @ExpectCounter(value = "timeout", delta = 3)
        void expectsItsError(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, physical(fake, core), "NRT_TIMEOUT", 3);
        }
    }

    // Unhealthy devices.

    @NeuronTest
    static class BreaksFixture {
        @Test
        @AllowCounter("mem_ecc_uncorrected")
        void breaks(NeuronCore core, FakeNeuronHost fake) {
            fake.device(core.device().index()).ecc("mem_uncorrected", 1);
        }
    }

    @NeuronTest
    static class BreaksAndIsAllowedFixture {
        @Test
        @AllowCounter("mem_ecc_uncorrected")
        @AllowCounter("unhealthy_components")
        void breaks(NeuronCore core, FakeNeuronHost fake) {
            fake.device(core.device().index()).ecc("mem_uncorrected", 1);
        }
    }

    @NeuronTest
    static class HealthUnreadableFixture {
        @Test
        void losesTheReport(NeuronCore core, FakeNeuronHost fake) {
            fake.device(core.device().index())
                    .fault(Fault.errno("stats/hardware/health_status/unhealthy_components", Errno.EIO));
        }
    }

    @NeuronTest
    static class OtherBreaksFixture {
        @Test
        void seesAnotherDeviceBreak(NeuronCore core, FakeNeuronHost fake) {
            fake.device(9).ecc("mem_uncorrected", 1);
        }
    }

    @NeuronTest
    static class BrokenBeforeFixture {
        @BeforeAll
        static void breakADevice(FakeNeuronHost fake) {
            fake.device(0).ecc("sram_uncorrected", 1);
        }

        @Test
        void getsACoreOfAnotherDevice(NeuronCore core) {
            assertThat(core.device().name()).isEqualTo("neuron1");
        }
    }

    @NeuronTest
    static class AllBrokenFixture {
        @BeforeAll
        static void breakAll(FakeNeuronHost fake) {
            fake.devices().forEach(device -> device.ecc("sram_uncorrected", 1));
        }

        @Test
        void getsNone(NeuronCore core) {}
    }

    @NeuronTest
    static class DeviceAppearsFixture {
        @Test
        void isNotNoticed(NeuronCore core, FakeNeuronHost fake) throws IOException {
            Path counter = fake.directory()
                    .resolve("sys/devices/virtual/neuron_device/neuron7/neuron_core0/stats/status/hw_error");
            Files.createDirectories(counter);
            Files.writeString(counter.resolve("total"), "3\n");
        }
    }

    @NeuronTest
    static class ResetFailsFixture {
        @Test
        void resets(NeuronCore core, FakeNeuronHost fake) {
            fake.device(0).failNextReset();
            String reset = "sys/devices/virtual/neuron_device/neuron0/reset";
            try {
                fake.tree().write(reset, "1".getBytes(StandardCharsets.US_ASCII));
                Awaitility.await()
                        .until(() -> new String(fake.tree().read(reset), StandardCharsets.US_ASCII).startsWith("2"));
            } catch (IOException refused) {
                throw new AssertionError(refused);
            }
        }
    }

    @NeuronTest
    static class HalvesFixture {
        private static FakeProcess first;

        @BeforeAll
        static void allocate(FakeNeuronHost fake) {
            List<FakeCore> cores = fake.device(0).cores();
            first = fake.openProcess("first", cores);
            cores.forEach(core -> first.allocate(core, "tensors", 4096));
        }

        @Test
        @ExpectDeviceMemoryReturned
        void movesMemoryBetweenHalves(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) {
            FakeCore half = fake.core(core.physicalCores().get(1).toString());
            first.close();
            fake.openProcess("second", half).allocate(half, "tensors", 8192);
        }
    }

    // Processes with deferred counts.

    @NeuronTest
    static class OwnerFixture {
        @Test
        @ExpectCounter(value = "inference_count", max = 5)
        void isCountedLate(NeuronCore core, FakeNeuronHost fake) {
            FakeProcess server = fake.openProcess("server", physical(fake, core));
            server.execute(physical(fake, core), NrtStatus.of("NRT_TIMEOUT"), 100);
        }
    }

    /** Opens a core by a process with hidden descriptors, like those of another user. */
    private static void openUnseen(FakeNeuronHost fake, FakeCore core) throws IOException {
        FakeProcess process = fake.openProcess("unseen", core);
        fake.awaitPublished();
        try (Stream<Path> descriptors = Files.list(fake.directory().resolve("proc/" + process.pid() + "/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                Files.delete(descriptor);
            }
        }
        process.execute(core, NrtStatus.of("NRT_TIMEOUT"), 100);
    }

    @NeuronTest
    static class UnseenOwnerFixture {
        @Test
        void isCountedLate(NeuronCore core, FakeNeuronHost fake) throws IOException {
            openUnseen(fake, physical(fake, core));
        }
    }

    @NeuronTest
    static class UnseenOwnerFromBeforeFixture {
        @BeforeAll
        static void open(FakeNeuronHost fake) throws IOException {
            openUnseen(fake, fake.core("neuron0/neuron_core1"));
        }

        @Test
        void passes(NeuronCore core) {}
    }

    @NeuronTest
    static class UnseenOwnerBesideAnotherFixture {
        @BeforeAll
        static void open(FakeNeuronHost fake) {
            fake.openProcess("seen", fake.core("neuron5/neuron_core0"));
            fake.awaitPublished();
        }

        @Test
        void isCountedLate(NeuronCore core, FakeNeuronHost fake) throws IOException {
            openUnseen(fake, physical(fake, core));
        }
    }

    @NeuronTest
    static class OwnerOfAnotherDeviceFixture {
        @Test
        void isSeen(NeuronCore core, FakeNeuronHost fake) {
            fake.openProcess("seen", fake.core("neuron5/neuron_core0"));
            fake.awaitPublished();
        }
    }

    record World(
            String name, String platform, Map<String, String> settings, Class<?> fixture, String junit, String gates) {

        static World of(String name, Class<?> fixture, String junit, String gates) {
            return new World(name, LIVE, Map.of(), fixture, junit, gates);
        }

        World on(String other) {
            return new World(name, other, settings, fixture, junit, gates);
        }

        World with(String setting, String value) {
            Map<String, String> more = new LinkedHashMap<>(settings);
            more.put(setting, value);
            return new World(name, platform, more, fixture, junit, gates);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<World> worlds() {
        return Stream.of(
                World.of(
                        "a reload wipes errors",
                        ReloadFixture.class,
                        "1 failed",
                        "complete, failed.max, undecided.max"),
                World.of(
                        "a reload of an idle host",
                        ReloadOfIdleFixture.class,
                        "1 failed",
                        "complete, failed.max, undecided.max"),
                World.of(
                                "a reload wipes errors where undecided tests pass",
                                ReloadFixture.class,
                                "1 passed",
                                "complete, undecided.max")
                        .with("neuron.test.undecided", "pass"),
                World.of(
                        "a count over a reload",
                        ReloadCountFixture.class,
                        "1 failed",
                        "complete, failed.max, undecided.max"),
                World.of(
                        "no count over a reload",
                        ReloadSameFixture.class,
                        "1 failed",
                        "complete, failed.max, undecided.max"),
                World.of(
                        "a reload wipes a leak",
                        ReloadLeakFixture.class,
                        "1 failed",
                        "complete, failed.max, undecided.max"),
                World.of(
                        "a reload wipes a peak",
                        ReloadPeakFixture.class,
                        "1 failed",
                        "complete, failed.max, undecided.max"),
                World.of("a reload before the first test", ReloadInBeforeAllFixture.class, "1 passed", "complete"),
                World.of(
                        "a reload in a class that holds the core",
                        ClassLeaseReloadFixture.class,
                        "1 passed, 1 container failed",
                        "complete, failed.max, undecided.max"),
                World.of("a reload after the last test", ReloadBetweenFixture.class, "1 passed", "complete"),
                World.of(
                        "a device that came back",
                        DeviceComesBackFixture.class,
                        "1 failed",
                        "complete, failed.max, undecided.max"),
                World.of("errors on another core of the device", OtherCoreFixture.class, "1 passed", "errors.max"),
                World.of("errors on another device", OtherDeviceFixture.class, "1 passed", "errors.max")
                        .on("fake:trn1.32xlarge"),
                World.of("errors after the test", BetweenTestsFixture.class, "1 passed", "errors.max"),
                World.of("an error that fails its test", FailsFixture.class, "1 failed", "failed.max"),
                World.of("an error that is allowed", AllowsFixture.class, "1 passed", ""),
                World.of("an error that is expected", ExpectsFixture.class, "1 passed", ""),
                World.of("a device breaks", BreaksFixture.class, "1 failed", "failed.max, quarantined.max")
                        .on(HEALTH),
                World.of("a device breaks and may", BreaksAndIsAllowedFixture.class, "1 passed", "quarantined.max")
                        .on(HEALTH),
                World.of("another device breaks", OtherBreaksFixture.class, "1 passed", "errors.max")
                        .on(HEALTH),
                World.of(
                                "a device was broken before",
                                BrokenBeforeFixture.class,
                                "1 passed",
                                "quarantined.max, errors.max")
                        .on(HEALTH),
                World.of(
                                "all devices were broken before",
                                AllBrokenFixture.class,
                                "1 failed",
                                "failed.max, quarantined.max, errors.max")
                        .on("fake:trn2.3xlarge@driver-2.30"),
                World.of("a device appears", DeviceAppearsFixture.class, "1 passed", "complete")
                        .on("fake:trn1.2xlarge@driver-2.30?view=directory"),
                World.of(
                        "a reset fails",
                        ResetFailsFixture.class,
                        "1 failed",
                        "failed.max, quarantined.max, errors.max"),
                World.of("one half of a core leaks", HalvesFixture.class, "1 failed", "failed.max")
                        .on(HEALTH),
                World.of("an owner that holds counts back", OwnerFixture.class, "1 failed", "failed.max, undecided.max")
                        .on(DEFERRED),
                World.of("an owner that is not seen", UnseenOwnerFixture.class, "1 failed", "failed.max, undecided.max")
                        .on(DEFERRED_FILES),
                World.of("an owner that is not seen since before", UnseenOwnerFromBeforeFixture.class, "1 passed", "")
                        .on(DEFERRED_FILES),
                World.of(
                                "an owner that is not seen beside one on another device",
                                UnseenOwnerBesideAnotherFixture.class,
                                "1 failed",
                                "failed.max, undecided.max")
                        .on("fake:inf2.24xlarge@driver-2.29?view=directory"),
                World.of("an owner of another device", OwnerOfAnotherDeviceFixture.class, "1 passed", "")
                        .on("fake:inf2.24xlarge@driver-2.29?view=directory"),
                World.of(
                                "an error counter appears beside an unreadable counter",
                                AppearsFixture.class,
                                "1 failed",
                                "failed.max, undecided.max, errors.max")
                        .on(LIVE + "?view=directory"),
                World.of(
                                "a report of health becomes unreadable",
                                HealthUnreadableFixture.class,
                                "1 failed",
                                "complete, failed.max, undecided.max")
                        .on(HEALTH));
    }

    private TestExecutionSummary launch(World world) {
        Map<String, String> parameters = new LinkedHashMap<>(world.settings());
        parameters.put("neuron.test.platform", world.platform());
        parameters.put("neuron.test.output", folder.resolve("run").toString());
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        try (LauncherSession session = LauncherFactory.openSession()) {
            session.getLauncher()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selectClass(world.fixture()))
                                    .configurationParameters(parameters)
                                    .build(),
                            summary);
        }
        return summary.getSummary();
    }

    private static String counts(TestExecutionSummary junit) {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(" passed", junit.getTestsSucceededCount());
        counts.put(" failed", junit.getTestsFailedCount());
        counts.put(" aborted", junit.getTestsAbortedCount());
        counts.put(" container failed", junit.getContainersFailedCount());
        return counts.entrySet().stream()
                .filter(count -> count.getValue() > 0)
                .map(count -> count.getValue() + count.getKey())
                .reduce((first, second) -> first + ", " + second)
                .orElse("");
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void hostFaultFailsTestOrGate(World world) {
        // when
        TestExecutionSummary junit = launch(world);

        // then
        RunReport report = RunReports.merge(List.of(folder.resolve("run")));
        List<GateOutcome> refusals = GateRules.ofDefaults().decide(report).stream()
                .filter(outcome -> !outcome.passed())
                .toList();
        String details = junit.getFailures().stream()
                        .map(failure -> failure.getException() + "\n")
                        .reduce("", String::concat)
                + report.problems()
                + refusals;
        assertThat(counts(junit)).as(details).isEqualTo(world.junit());
        assertThat(refusals).as(details).extracting(GateOutcome::gate).isEqualTo(gates(world));
    }

    private static List<String> gates(World world) {
        return Stream.of(world.gates().split(", "))
                .filter(gate -> !gate.isEmpty())
                .toList();
    }

    @Test
    void driverReloadIsOneProblem() {
        // when
        launch(World.of("", ReloadFixture.class, "", ""));

        // then
        RunReport report = RunReports.merge(List.of(folder.resolve("run")));
        assertThat(report.problems())
                .singleElement()
                .asString()
                .matches("The driver of .+ was reloaded during the run: .+ The earlier counts of its error counters are"
                        + " unknown\\.");
        assertThat(report.tests())
                .singleElement()
                .extracting(ReportedTest::undecided)
                .asString()
                .contains("The driver was reloaded during the test, or its counters were cleared: ");
    }
}
