package dev.neurontest;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.baseline.Comparisons;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.merge.RunReports;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.Profiler;
import dev.neurontest.runtime.NeuronRuntime;
import dev.neurontest.workload.NeuronWorkload;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Tests of every instrument after a body that passed, failed or was aborted. Expected events are not judged after an
 * aborted body; forbidden events fail the test after every body.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class FalseGreenBodiesIT {

    private static final String NEFF = "target/false-green-bodies/resnet50.neff";

    @TempDir
    private Path output;

    @BeforeAll
    static void compile() throws IOException {
        Files.createDirectories(Path.of(NEFF).getParent());
        FakeNeff.builder().name("resnet50").time(Duration.ofMillis(16)).write(Path.of(NEFF));
    }

    private static TestOutcome ending = TestOutcome.PASSED;

    private static void end() {
        switch (ending) {
            case ABORTED -> assumeTrue(false);
            case FAILED -> throw new IllegalStateException("broken");
            default -> {}
        }
    }

    private static FakeCore physical(FakeNeuronHost fake, NeuronCore core) {
        return fake.core(core);
    }

    private static void execute(FakeNeuronHost fake, NeuronCore core, String status) {
        try (FakeProcess process = fake.openProcess("workload", physical(fake, core))) {
            process.execute(physical(fake, core), NrtStatus.of(status), 3);
        }
    }

    private static void print(Workloads workloads, String values) {
        workloads
                .command("printf", "acc dtype: float32 shape: (2,)\\n[" + values + "]\\n")
                .run();
    }

    @NeuronTest
    static class ExactCounterFixture {
        @Test
        @ExpectCounter(value = "inference_count", delta = 100)
        void test(NeuronCore core) {
            end();
        }
    }

    @NeuronTest
    static class LeastCounterFixture {
        @Test
        @ExpectCounter(value = "inference_count", min = 1, max = 5, each = true)
        void test(NeuronCore core) {
            end();
        }
    }

    @NeuronTest
    static class PrintFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void test(NeuronCore core, Workloads workloads) {
            end();
        }
    }

    @NeuronTest
    static class FinitePrintFixture {
        @Test
        @ExpectPrint(prefix = "acc", noNaN = true)
        void test(NeuronCore core, Workloads workloads) {
            end();
        }
    }

    @NeuronTest
    static class LatencyFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("1 ms")
        void test(NeuronCore core) {
            end();
        }
    }

    @NeuronTest
    static class LatencyOfTakenProfileFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("1 ms")
        void test(NeuronCore core, Profile profile) {
            end();
        }
    }

    @NeuronTest
    static class LatencyOfOwnProfileFixture {
        @Test
        @MaxLatency("1 ms")
        void test(NeuronCore core, Profiler profiler) {
            profiler.capture(Path.of(NEFF)).run();
            end();
        }
    }

    @NeuronTest
    static class WorkloadProfileFixture {
        @Test
        @ProfileWorkloads
        @Threshold(metric = "spill_save_bytes", max = "1 TiB")
        void test(NeuronCore core) {
            end();
        }
    }

    @NeuronTest
    static class ProfileBaselineFixture {
        @Test
        @CompareToBaseline(metric = "total_time")
        void test(NeuronCore core, Profiler profiler) {
            end();
        }
    }

    @NeuronTest
    static class CounterBaselineFixture {
        @Test
        @CompareToBaseline(metric = "counter:model_load_count")
        void test(NeuronCore core) {
            end();
        }
    }

    @NeuronTest
    static class PercentileFixture {
        @Test
        void test(NeuronCore core, Comparisons comparisons) {
            comparisons.percentile(99, "17 ms", 298, 0);
            end();
        }
    }

    @NeuronTest
    static class BrokenPercentileFixture {
        @Test
        void test(NeuronCore core, Comparisons comparisons) {
            comparisons.percentile(99, "17 ms", 300, 12);
            end();
        }
    }

    @NeuronTest
    static class ErrorFixture {
        @Test
        void test(FakeNeuronHost fake, NeuronCore core) {
            execute(fake, core, "NRT_TIMEOUT");
            end();
        }
    }

    @NeuronTest
    static class ErrorAndDemandFixture {
        @Test
        @ExpectCounter(value = "inference_count", delta = 100)
        void test(FakeNeuronHost fake, NeuronCore core) {
            execute(fake, core, "NRT_TIMEOUT");
            end();
        }
    }

    @NeuronTest
    static class StillCounterFixture {
        @Test
        @ExpectCounter(value = "inference_count", delta = 0)
        void test(FakeNeuronHost fake, NeuronCore core) {
            execute(fake, core, "NRT_SUCCESS");
            end();
        }
    }

    @NeuronTest
    static class MostCounterFixture {
        @Test
        @ExpectCounter(value = "inference_count", max = 2)
        void test(FakeNeuronHost fake, NeuronCore core) {
            execute(fake, core, "NRT_SUCCESS");
            end();
        }
    }

    @NeuronTest
    static class ExactCounterExceededFixture {
        @Test
        @ExpectCounter(value = "inference_count", delta = 2)
        void test(FakeNeuronHost fake, NeuronCore core) {
            execute(fake, core, "NRT_SUCCESS");
            end();
        }
    }

    @NeuronTest
    static class RangeExceededFixture {
        @Test
        @ExpectCounter(value = "inference_count", min = 1, max = 2, each = true)
        void test(FakeNeuronHost fake, NeuronCore core) {
            execute(fake, core, "NRT_SUCCESS");
            end();
        }
    }

    @NeuronTest
    static class PrintsExceededFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void test(NeuronCore core, Workloads workloads) {
            print(workloads, "1 2");
            print(workloads, "1 2");
            end();
        }
    }

    /** Leaves memory allocated. */
    private static void allocate(FakeNeuronHost fake, NeuronCore core) {
        fake.openProcess("workload", physical(fake, core)).allocate(physical(fake, core), "tensors", 3 << 20);
    }

    @NeuronTest
    static class MemoryFixture {
        @Test
        @ExpectDeviceMemoryReturned
        void test(FakeNeuronHost fake, NeuronCore core) {
            allocate(fake, core);
            end();
        }
    }

    @NeuronTest
    static class PeakFixture {
        @Test
        @ExpectPeakMemory(atMost = "1 MiB", category = "device_mem/tensors", clearFirst = true)
        void test(FakeNeuronHost fake, NeuronCore core) {
            allocate(fake, core);
            end();
        }
    }

    @NeuronTest
    static class NoPrintFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 0)
        void test(NeuronCore core, Workloads workloads) {
            print(workloads, "1 2");
            end();
        }
    }

    @NeuronTest
    static class NoNaNFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1, noNaN = true)
        void test(NeuronCore core, Workloads workloads) {
            print(workloads, "nan 2");
            end();
        }
    }

    @NeuronTest
    static class LeakFixture {
        @Test
        void test(NeuronCore core, NeuronRuntime runtime) {
            runtime.allocate(core, "left", 64);
            end();
        }
    }

    @NeuronTest
    static class CrashFixture {
        @Test
        void test(NeuronCore core, Workloads workloads) {
            NeuronWorkload program =
                    workloads.command("sh", "-c", "kill -SEGV $$").start();
            await().until(() -> !program.isAlive());
            end();
        }
    }

    private static Stream<Class<?>> asking() {
        return Stream.of(
                ExactCounterFixture.class,
                LeastCounterFixture.class,
                PrintFixture.class,
                FinitePrintFixture.class,
                LatencyFixture.class,
                LatencyOfTakenProfileFixture.class,
                LatencyOfOwnProfileFixture.class,
                WorkloadProfileFixture.class,
                ProfileBaselineFixture.class,
                CounterBaselineFixture.class,
                PercentileFixture.class,
                BrokenPercentileFixture.class);
    }

    private static Stream<Class<?>> forbidding() {
        return Stream.of(
                ErrorFixture.class,
                ErrorAndDemandFixture.class,
                StillCounterFixture.class,
                MostCounterFixture.class,
                ExactCounterExceededFixture.class,
                RangeExceededFixture.class,
                PrintsExceededFixture.class,
                MemoryFixture.class,
                PeakFixture.class,
                NoPrintFixture.class,
                NoNaNFixture.class,
                CrashFixture.class,
                LeakFixture.class);
    }

    /** Runs a test, verifies that JUnit and the gate agree with the report, and returns the reported test. */
    private ReportedTest ended(Class<?> fixture, TestOutcome body) {
        ending = body;
        Path folder = output.resolve(body.name());
        TestExecutionSummary junit = new NeuronTestKit(folder)
                .on("fake:trn1.2xlarge@driver-2.30")
                .with(
                        "neuron.test.baseline.directory",
                        folder.resolve("baselines").toString())
                .launch(fixture);
        RunReport report = RunReports.merge(List.of(folder.resolve("run")));
        assertThat(report.tests()).hasSize(1);
        ReportedTest test = report.tests().get(0);
        assertThat(junit.getTestsFailedCount() == 1).isEqualTo(test.outcome() == TestOutcome.FAILED);
        assertThat(junit.getTestsSucceededCount() == 1 && test.outcome() == TestOutcome.ABORTED)
                .isFalse();
        assertThat(refusals(report))
                .as("gate")
                .isSubsetOf(
                        switch (test.outcome()) {
                            case FAILED -> List.of("failed.max", "undecided.max");
                            case ABORTED -> List.of("ran", "skipped.max");
                            default -> List.of("undecided.max");
                        })
                .isNotEmpty();
        return test;
    }

    private static List<String> refusals(RunReport report) {
        return GateRules.ofDefaults()
                .withAssignments(List.of("skipped.max=0", "undecided.max=0", "undecided-comparisons.max=0"))
                .decide(report)
                .stream()
                .filter(Predicate.not(GateOutcome::passed))
                .map(GateOutcome::gate)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("asking")
    void demandsAreNotJudgedAfterAbortedBody(Class<?> fixture) {
        // when
        ReportedTest aborted = ended(fixture, TestOutcome.ABORTED);

        // then
        assertThat(aborted.outcome()).isEqualTo(TestOutcome.ABORTED);
        assertThat(aborted.violations()).isEmpty();
        assertThat(aborted.undecided()).isEmpty();
        assertThat(aborted.comparisons()).isEmpty();
        assertThat(ended(fixture, TestOutcome.FAILED).outcome()).isEqualTo(TestOutcome.FAILED);
        assertThat(ended(fixture, TestOutcome.PASSED).outcome()).isIn(TestOutcome.FAILED, TestOutcome.UNDECIDED);
    }

    @ParameterizedTest
    @MethodSource("forbidding")
    void forbiddenEventFailsTestAfterAnyBody(Class<?> fixture) {
        if (fixture == LeakFixture.class) {
            Assumptions.assumeThat(FakeRuntime.unavailable()).isEmpty();
        }
        for (TestOutcome body : List.of(TestOutcome.ABORTED, TestOutcome.FAILED, TestOutcome.PASSED)) {
            // when
            ReportedTest test = ended(fixture, body);

            // then
            assertThat(test.outcome()).as("after a body that %s", body).isEqualTo(TestOutcome.FAILED);
            assertThat(test.violations()).isNotEmpty();
            assertThat(test.violations().stream().map(Violation::rule).anyMatch(rule -> rule.contains("delta = 100")))
                    .isEqualTo(fixture == ErrorAndDemandFixture.class && body != TestOutcome.ABORTED);
        }
    }
}
