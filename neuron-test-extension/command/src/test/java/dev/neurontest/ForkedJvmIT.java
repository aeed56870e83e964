package dev.neurontest;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakePrint;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.process.ProcessFixture;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.merge.RunReports;
import dev.neurontest.internal.report.page.ReportPage;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.workload.NeuronWorkload;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of test JVMs that share a host. */
class ForkedJvmIT {

    @TempDir
    private Path output;

    private FakeNeuronHost host;
    private Process fork;

    @BeforeEach
    void serve() {
        host = FakeNeuronHost.builder().instance("trn1.2xlarge").start();
    }

    @AfterEach
    void stop() {
        if (fork != null) {
            fork.destroyForcibly();
        }
        host.close();
    }

    private String platform() {
        return "root:" + host.directory();
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).on(platform());
    }

    /** Forks a JVM with a test that holds the device and never ends. */
    private void forkUntilItsBodyRuns() throws IOException {
        forkUntilItsBodyRuns(NeverEndsFixture.class);
    }

    private void forkUntilItsBodyRuns(Class<?> fixture, String... options) throws IOException {
        Path sign = output.resolve("in-body");
        List<String> jvm = new ArrayList<>(List.of(
                "-Dneuron.test.platform=" + platform(),
                "-Dneuron.test.output=" + output.resolve("run"),
                "-Dsign=" + sign));
        jvm.addAll(List.of(options));
        fork = new ProcessBuilder(JvmCommand.program(jvm, Fork.class, fixture.getName()))
                .redirectErrorStream(true)
                .redirectOutput(output.resolve("fork.log").toFile())
                .start();
        await().until(() -> Files.exists(sign) || !fork.isAlive());
        assertThat(fork.isAlive())
                .as(() -> contentOf(output.resolve("fork.log")))
                .isTrue();
    }

    private static String contentOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    static final class Fork {

        private Fork() {}

        public static void main(String[] fixture) {
            try (LauncherSession session = LauncherFactory.openSession()) {
                session.getLauncher()
                        .execute(LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(fixture[0]))
                                .build());
            }
        }
    }

    @NeuronTest
    static class NeverEndsFixture {
        @Test
        void holdsTheDevice(NeuronDevice device) throws Exception {
            Files.createFile(Path.of(System.getProperty("sign")));
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @NeuronTest
    static class NeverEndsWithAChildFixture {
        @Test
        void holdsTheDevice(NeuronDevice device, Workloads workloads) throws Exception {
            NeuronWorkload child = workloads
                    .command(FakeProgram.command("hang"))
                    .readyWhenPrinted("runs on")
                    .start()
                    .awaitReady();
            Files.writeString(Path.of(System.getProperty("sign") + "-pid"), Long.toString(child.pid()));
            Files.createFile(Path.of(System.getProperty("sign")));
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @NeuronTest
    static class NeverEndsAndPrintsFixture {
        @Test
        void prints(@Neff("target/print-fixtures/tiles.neff") LoadedModel tiles, DevicePrints prints) throws Exception {
            tiles.execute(Map.of());
            prints.await("acc", Integer.getInteger("prints"), Patience.LIMIT);
            Files.createFile(Path.of(System.getProperty("sign")));
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @NeuronTest
    static class OneCoreFixture {
        @Test
        void leasesACore(NeuronCore core) {}
    }

    @Test
    void leaseTimesOutWhileAnotherJvmHoldsCores() throws IOException {
        // given
        forkUntilItsBodyRuns();

        // when
        EngineExecutionResults results =
                kit().with("neuron.test.lease.timeout", "300 ms").run(OneCoreFixture.class);

        // then
        assertThat(NeuronTestKit.failures(results))
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .isInstanceOf(LeaseTimeoutException.class)
                        .hasMessageContainingAll("cores 0-1", "holdsTheDevice(NeuronDevice)", "pid " + fork.pid()));
    }

    @Test
    void leaseTableIsCreatedInConfiguredDirectory() {
        // given
        Path elsewhere = output.resolve("leases");
        NeuronTestKit kit = kit().with("neuron.test.lease.directory", elsewhere.toString());

        // when
        EngineExecutionResults results = kit.run(OneCoreFixture.class);

        // then
        assertThat(NeuronTestKit.failures(results)).isEmpty();
        assertThat(elsewhere).isDirectoryContaining("glob:**/leases-1");
        assertThat(host.directory().resolve("tmp")).doesNotExist();
    }

    @Test
    void coresOfKilledJvmAreFreedAndItsTestNamed() throws Exception {
        // given
        forkUntilItsBodyRuns();
        fork.destroyForcibly().waitFor();
        NeuronTestKit kit = kit();

        // when
        EngineExecutionResults results = kit.run(OneCoreFixture.class);

        // then
        assertThat(NeuronTestKit.failures(results)).isEmpty();
        assertThat(kit.events(RunEvent.HolderDied.class)).singleElement().satisfies(died -> {
            assertThat(died.pid()).isEqualTo(fork.pid());
            assertThat(died.test()).contains("NeverEndsFixture > holdsTheDevice(NeuronDevice)");
            assertThat(died.cores()).isEqualTo(List.of("neuron0/neuron_core0", "neuron0/neuron_core1"));
            assertThat(died.phase()).isEqualTo(Phase.BODY);
        });
    }

    @ParameterizedTest
    @CsvSource({"KILL, 1000", "KILL, 20000", "ABRT, 1000"})
    void reportHasAllPrintsOfKilledJvm(String signal, int count) throws Exception {
        // given
        Assumptions.assumeThat(FakeRuntime.unavailable()).isEmpty();
        Files.createDirectories(Path.of("target/print-fixtures"));
        FakeNeff.builder().name("tiles").write(Path.of("target/print-fixtures/tiles.neff"));
        host.runtime()
                .neff("tiles")
                .print(FakePrint.of("acc", "int32", 2).times(count).sequence());
        forkUntilItsBodyRuns(NeverEndsAndPrintsFixture.class, "-Dprints=" + count);

        // when
        new ProcessBuilder("kill", "-" + signal, Long.toString(fork.pid()))
                .start()
                .waitFor();
        fork.waitFor();
        RunReport report = RunReports.merge(List.of(output.resolve("run")));

        // then
        assertThat(report.tests())
                .filteredOn(test -> test.id().name().contains("prints("))
                .singleElement()
                .satisfies(lost -> {
                    assertThat(lost.outcome()).isEqualTo(TestOutcome.LOST);
                    assertThat(lost.recordings())
                            .filteredOn(recorded -> recorded.kind().equals("prints"))
                            .singleElement()
                            .satisfies(
                                    recorded -> assertThat(recorded.recording().text())
                                            .contains(
                                                    "\"prefixes\":[{\"prefix\":\"acc\",\"count\":%s}]".formatted(count),
                                                    "{\"order\":0,",
                                                    "{\"order\":%s,".formatted(count - 1),
                                                    "\"notListed\":0"));
                    assertThat(lost.notices())
                            .anyMatch(notice -> notice.startsWith(
                                    "The JVM ended while the test ran: only the events that it had read (%s) are included."
                                            .formatted(count)));
                });
        ReportPage.write(report, List.of(), output.resolve("report.html"));
        assertThat(contentOf(output.resolve("report.html"))).contains("Printed by kernels");
    }

    @Test
    void childOfKilledJvmEndsAndCoresAreFreed() throws Exception {
        // given
        forkUntilItsBodyRuns(NeverEndsWithAChildFixture.class);
        long child = Long.parseLong(Files.readString(output.resolve("in-body-pid")));

        // when
        fork.destroyForcibly().waitFor();
        EngineExecutionResults next = kit().run(OneCoreFixture.class);

        // then
        assertThat(NeuronTestKit.failures(next)).isEmpty();
        assertThat(ProcessFixture.isGone(child)).isTrue();
    }
}
