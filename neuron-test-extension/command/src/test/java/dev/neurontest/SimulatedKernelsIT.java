package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.neurontest.baseline.Comparisons;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.Fault;
import dev.neurontest.internal.command.CommandFixture;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.workload.WorkloadResult;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Tests of expectations that do not apply to simulated kernels, from JUnit's result to the report and the gate. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the workloads are programs of Unix")
class SimulatedKernelsIT {

    @TempDir
    private Path output;

    private static void simulate(Workloads workloads) {
        workloads.command("echo", "acc [1 2]").simulated().run();
    }

    private static void execute(FakeNeuronHost fake, NeuronCore core) {
        FakeCore physical = fake.core(core);
        try (FakeProcess process = fake.openProcess(physical)) {
            process.execute(physical, 1);
        }
    }

    @NeuronTest
    static class SimulatedFixture {
        @Test
        @ExpectCounter(value = "inference_count", min = 1)
        @ExpectDeviceMemoryReturned
        @ExpectPrint(prefix = "acc", count = 1)
        void test(NeuronCore core, Workloads workloads) {
            simulate(workloads);
        }
    }

    @NeuronTest
    static class SimulatedByEnvironmentFixture {
        @Test
        @ExpectCounter(value = "inference_count", min = 1)
        @ExpectDeviceMemoryReturned
        void test(NeuronCore core, Workloads workloads) {
            WorkloadResult result =
                    workloads.command("true").environment("NKI_SIMULATOR", "1").run();
            assertThat(result.visibleCores())
                    .as("its runtime must not see other cores")
                    .isEqualTo("0");
        }
    }

    @NeuronTest
    static class WrongPrintsFixture {
        @Test
        @ExpectCounter(value = "inference_count", min = 1)
        @ExpectPrint(prefix = "acc", count = 2)
        void test(NeuronCore core, Workloads workloads) {
            simulate(workloads);
        }
    }

    @NeuronTest
    static class NothingStartedFixture {
        @Test
        @ExpectCounter(value = "inference_count", min = 1)
        void test(NeuronCore core, Workloads workloads) {}
    }

    @NeuronTest
    static class IdleOnDeviceFixture {
        @Test
        @ExpectCounter(value = "inference_count", min = 1)
        void test(NeuronCore core, Workloads workloads) {
            simulate(workloads);
            workloads.command("true").run();
        }
    }

    @NeuronTest
    static class ProgramWithoutCoresFixture {
        @Test
        @ExpectCounter(value = "inference_count", min = 1)
        void test(NeuronCore core, Workloads workloads) {
            simulate(workloads);
            workloads.command("true").on().run();
        }
    }

    @NeuronTest
    static class BusyOnDeviceFixture {
        @Test
        @ExpectCounter(value = "inference_count", delta = 2)
        void test(NeuronCore core, Workloads workloads, FakeNeuronHost fake) {
            simulate(workloads);
            execute(fake, core);
        }
    }

    @NeuronTest
    static class RightOnDeviceFixture {
        @Test
        @ExpectCounter(value = "inference_count", delta = 1)
        void test(NeuronCore core, Workloads workloads, FakeNeuronHost fake) {
            simulate(workloads);
            execute(fake, core);
        }
    }

    @NeuronTest
    static class ErrorFixture {
        @Test
        @ExpectCounter(value = "inference_count", max = 0)
        void test(NeuronCore core, Workloads workloads, FakeNeuronHost fake) {
            simulate(workloads);
            fake.device(0).fault(Fault.ecc("mem_uncorrected", 2));
        }
    }

    @NeuronTest
    static class ServerOfClassFixture {
        @BeforeAll
        static void server(@Count(1) List<NeuronCore> cores, Workloads workloads) {
            workloads.command("sleep", "60").endedByTest().start();
        }

        @Test
        @ExpectCounter(value = "inference_count", min = 1)
        void test(Workloads workloads) {
            simulate(workloads);
        }
    }

    @NeuronTest
    static class ProfiledFixture {
        @Test
        @ProfileWorkloads
        @MaxLatency("15 ms")
        @CompareToBaseline(metric = "total_time")
        void test(NeuronCore core, Workloads workloads) {
            simulate(workloads);
        }
    }

    @NeuronTest
    static class ComparedFixture {
        @Test
        @CompareToBaseline(metric = "counter:model_load_count")
        void test(NeuronCore core, Workloads workloads, Comparisons comparisons) {
            simulate(workloads);
            comparisons.latency("p50").compare(() -> 1.0);
            comparisons.percentile(99, "17 ms", 1000, 900);
        }
    }

    /** Compares and limits the samples that a simulated program prints. */
    private static void measure(Workloads workloads, Comparisons comparisons, String counts) {
        WorkloadResult result = workloads
                .command(
                        "echo",
                        "{\"neuron_test_samples\": 1, \"name\": \"decode\", \"unit\": \"ms\", \"better\": \"lower\","
                                + " \"clock\": \"host\", \"values\": [1, 2], " + counts + "}")
                .simulated()
                .run();
        comparisons.samples(() -> result.samples("decode"));
        comparisons.percentile(99, "17 ms", result.samples("decode"));
    }

    @NeuronTest
    static class IncompleteBenchmarkFixture {
        @Test
        void test(NeuronCore core, Workloads workloads, Comparisons comparisons) {
            measure(workloads, comparisons, "\"asked\": 3");
        }
    }

    @NeuronTest
    static class FailedBenchmarkFixture {
        @Test
        @ExpectCounter(value = "inference_count", min = 1)
        void test(NeuronCore core, Workloads workloads, Comparisons comparisons) {
            measure(workloads, comparisons, "\"failed\": 1");
        }
    }

    @NeuronTest
    @ExpectDeviceMemoryReturned
    static class ClassFixture {
        @BeforeAll
        static void cores(@Count(1) List<NeuronCore> cores) {}

        @Nested
        class Inner {
            @Test
            void test(Workloads workloads) {
                simulate(workloads);
            }
        }
    }

    @Test
    void allViewsNameWhatIsNotApplicable() throws IOException {
        // given
        new NeuronTestKit(output).with("neuron.test.summary", "false").launch(SimulatedFixture.class);

        // when
        CommandFixture.run(
                "report",
                output.resolve("run").toString(),
                "--html",
                output.resolve("report.html").toString(),
                "--json",
                output.resolve("report.json").toString(),
                "--markdown",
                output.resolve("report.md").toString());

        // then
        assertThat(Files.readString(output.resolve("report.html")))
                .contains(
                        "Simulated tests",
                        "Expectations that are not applicable",
                        "All kernels of the test were simulated");
        assertThat(Files.readString(output.resolve("report.md")))
                .contains(
                        "1 passed, 2 expectations not applicable",
                        "Simulated tests",
                        "Expectations that are not applicable");
        assertThat(Files.readString(output.resolve("report.json")))
                .contains("\"notApplicable\":2", "\"notApplicable\":[{\"rule\":", "\"simulated\":true");
        assertThat(Files.readString(Files.walk(output.resolve("run"))
                        .filter(file -> file.toString().endsWith(".jsonl"))
                        .findFirst()
                        .orElseThrow()))
                .contains("Workload echo (simulated) ended");
    }

    /** A process of an old driver, which counts only at its end. It opened the device before the test. */
    @NeuronTest
    static class HeldBackFixture {

        @Nullable
        private static FakeProcess process;

        @BeforeAll
        static void open(FakeNeuronHost fake) {
            process = fake.openProcess(fake.devices().get(0).core(0));
        }

        @Test
        @ExpectCounter(value = "inference_count", delta = 2)
        void test(@NeuronIndex(0) NeuronCore core, Workloads workloads, FakeNeuronHost fake) {
            simulate(workloads);
            if (process != null) {
                process.execute(fake.core(core), 1);
            }
        }
    }

    @Test
    void countsThatAreHeldBackAreJudged() {
        // given
        NeuronTestKit kit =
                new NeuronTestKit(output).on("fake:trn1.2xlarge@driver-2.27").with("neuron.test.summary", "false");

        // when
        TestExecutionSummary summary = kit.launch(HeldBackFixture.class);

        // then
        assertThat(summary.getFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.getException())
                        .hasMessageContaining("inference_count")
                        .hasMessageContaining("undecided"));
        assertThat(kit.events(RunEvent.NotApplied.class)).isEmpty();
    }

    @NeuronTest
    static class ReloadedDriverFixture {
        @Test
        @ExpectCounter(value = "inference_count", delta = 2)
        void test(NeuronCore core, Workloads workloads, FakeNeuronHost fake) {
            simulate(workloads);
            fake.reloadDriver();
        }
    }

    @Test
    void countsOfReloadedDriverAreUndecided() {
        // given
        NeuronTestKit kit = new NeuronTestKit(output).with("neuron.test.summary", "false");

        // when
        TestExecutionSummary summary = kit.launch(ReloadedDriverFixture.class);

        // then
        assertThat(summary.getFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.getException()).hasMessageContaining("undecided"));
        assertThat(kit.events(RunEvent.NotApplied.class)).isEmpty();
    }

    private static Arguments passes(Class<?> fixture, int notApplicable) {
        return arguments(fixture, 0L, notApplicable, "1 passed");
    }

    private static Arguments fails(Class<?> fixture, int notApplicable, String line) {
        return arguments(fixture, 1L, notApplicable, line);
    }

    private static Stream<Arguments> worlds() {
        return Stream.of(
                passes(SimulatedFixture.class, 2),
                passes(SimulatedByEnvironmentFixture.class, 2),
                fails(WrongPrintsFixture.class, 1, "expected exactly 2, was 1"),
                fails(NothingStartedFixture.class, 0, "expected at least +1, was 0"),
                fails(IdleOnDeviceFixture.class, 0, "expected at least +1, was 0"),
                passes(ProgramWithoutCoresFixture.class, 1),
                fails(BusyOnDeviceFixture.class, 0, "expected +2, was +1"),
                passes(RightOnDeviceFixture.class, 0),
                fails(ErrorFixture.class, 0, "mem_ecc_uncorrected"),
                fails(ServerOfClassFixture.class, 0, "expected at least +1, was 0"),
                passes(ProfiledFixture.class, 2),
                passes(ComparedFixture.class, 3),
                passes(IncompleteBenchmarkFixture.class, 2),
                fails(FailedBenchmarkFixture.class, 1, "1 of the executions of decode failed"),
                passes(ClassFixture.class, 3));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("worlds")
    void resultReportAndGateAgree(Class<?> fixture, long failed, int notApplicable, String line) {
        // given
        NeuronTestKit kit = new NeuronTestKit(output)
                .with("neuron.test.summary", "false")
                .with("neuron.test.baseline.update", "missing")
                .with(
                        "neuron.test.baseline.directory",
                        output.resolve("baselines").toString());

        // when
        TestExecutionSummary summary = kit.launch(fixture);
        CommandFixture report =
                CommandFixture.run("report", output.resolve("run").toString(), "--gate");
        CommandFixture strict = CommandFixture.run(
                "report", output.resolve("run").toString(), "--gate", "--limit", "not-applicable.max=0");

        // then
        assertThat(summary.getTestsFailedCount())
                .as(() -> summary.getFailures().stream()
                        .map(each -> each.getException().getMessage())
                        .toList()
                        .toString())
                .isEqualTo(failed);
        String text = report.out().replaceAll("\\s+", " ");
        assertThat(text).contains(line);
        assertThat(kit.events(RunEvent.NotApplied.class)).hasSize(notApplicable);
        assertThat(text.contains(" simulated: SimulatedKernelsIT$")).isEqualTo(notApplicable > 0);
        assertThat(text.contains("not applicable: SimulatedKernelsIT$")).isEqualTo(notApplicable > 0);
        assertThat(text.contains("%s expectation".formatted(notApplicable))).isEqualTo(notApplicable > 0);
        assertThat(report.status()).as(report.out()).isEqualTo(failed > 0 ? 1 : 0);
        assertThat(strict.status()).as(strict.out()).isEqualTo(failed > 0 || notApplicable > 0 ? 1 : 0);
        assertThat(Files.exists(output.resolve("baselines"))).isFalse();
        assertThat(kit.events(RunEvent.Compared.class)).isEmpty();
    }
}
