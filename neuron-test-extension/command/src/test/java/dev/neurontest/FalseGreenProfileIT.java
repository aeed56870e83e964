package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.Comparisons;
import dev.neurontest.baseline.Sample;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.baseline.BaselineEntry;
import dev.neurontest.internal.baseline.history.BaselineFixture;
import dev.neurontest.internal.baseline.history.BaselineStore;
import dev.neurontest.internal.command.CommandFixture;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.profile.Collectives;
import dev.neurontest.profile.Latency;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.Profiler;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Tests on a fake host with profiles that are wrong or only look wrong, run by JUnit's launcher. JUnit's result, the
 * text of the report and the exit status of the gate agree on each.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools are shell scripts")
class FalseGreenProfileIT {

    private static final String FOLDER = "target/false-green-profile/";
    private static final String NEFF = FOLDER + "resnet50.neff";
    private static final String TWO_RANKS = FOLDER + "two-ranks.neff";
    private static final String FOUR_RANKS = FOLDER + "four-ranks.neff";
    private static final String ZEROS = FOLDER + "zeros.neff";
    private static final String LEADING_ZERO = FOLDER + "leading-zero.neff";

    @TempDir
    private Path output;

    @BeforeAll
    static void compile() throws IOException {
        Files.createDirectories(Path.of(FOLDER));
        FakeNeff.builder().time(Duration.ofMillis(16)).write(Path.of(NEFF));
        FakeNeff.builder().time(Duration.ofMillis(16)).workers(2).write(Path.of(TWO_RANKS));
        FakeNeff.builder().time(Duration.ofMillis(16)).workers(4).write(Path.of(FOUR_RANKS));
        FakeNeff.builder()
                .time(Duration.ofMillis(16))
                .uuid(new UUID(0x0011223344556677L, 0x8899aabbccddeeffL))
                .write(Path.of(LEADING_ZERO));
        FakeNeff.builder().time(Duration.ofMillis(16)).uuid(new UUID(0, 0)).write(Path.of(ZEROS));
    }

    @NeuronTest
    static class LeadingZeroCapturedFixture {
        @Test
        @ProfileNeff(LEADING_ZERO)
        @MaxLatency("17 ms")
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class LeadingZeroWithTablesFixture {
        @Test
        @ProfileNeff(value = LEADING_ZERO, tables = true)
        @MaxLatency("17 ms")
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class ZerosCapturedFixture {
        @Test
        @ProfileNeff(value = ZEROS, tables = true, executions = 2)
        @MaxLatency("17 ms")
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class ZerosTooSlowFixture {
        @Test
        @ProfileNeff(ZEROS)
        @MaxLatency("15 ms")
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class ZerosGivenFixture {
        @Test
        @MaxLatency("17 ms")
        void test(NeuronCore core, Profiler profiler) {
            Profile captured = profiler.capture(Path.of(ZEROS)).run();
            profiler.view(Path.of(ZEROS), captured.executions().get(0).ntff());
        }
    }

    @NeuronTest
    static class ZerosForLeadingZeroFixture {
        @Test
        @MaxLatency("17 ms")
        void test(NeuronCore core, Profiler profiler) {
            Profile captured = profiler.capture(Path.of(ZEROS)).run();
            profiler.view(Path.of(LEADING_ZERO), captured.executions().get(0).ntff());
        }
    }

    @NeuronTest
    static class LeadingZeroOfAnotherNeffFixture {
        @Test
        @ProfileNeff(LEADING_ZERO)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("wrong-uuid");
        }
    }

    @NeuronTest
    static class LeadingZeroTooSlowFixture {
        @Test
        @ProfileNeff(LEADING_ZERO)
        @MaxLatency("15 ms")
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class LeadingZeroOfWorkloadFixture {
        @Test
        @ProfileWorkloads
        @Threshold(metric = "hbm_read_bytes", max = "1 TiB")
        void test(NeuronCore core, Workloads workloads, FakeNeuronHost fake) {
            workloads
                    .command(fake.directory().resolve("bin/run-neff").toString(), LEADING_ZERO)
                    .run();
        }
    }

    @NeuronTest
    static class LeadingZeroGivenFixture {
        @Test
        @MaxLatency("17 ms")
        void test(NeuronCore core, Profiler profiler) {
            Profile captured = profiler.capture(Path.of(LEADING_ZERO)).run();
            profiler.view(Path.of(LEADING_ZERO), captured.executions().get(0).ntff());
        }
    }

    @NeuronTest
    static class LeadingZeroForAnotherNeffFixture {
        @Test
        @MaxLatency("17 ms")
        void test(NeuronCore core, Profiler profiler) {
            Profile captured = profiler.capture(Path.of(LEADING_ZERO)).run();
            profiler.view(Path.of(NEFF), captured.executions().get(0).ntff());
        }
    }

    @NeuronTest
    static class ThrottledByAverageFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("metric", "throttle_periodic_avg_util_limit_nc0_percent", "0.56");
        }
    }

    @NeuronTest
    static class ThrottledByAverageOfCoreFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("metric", "throttle_avg_util_limit_nc0_percent", "0.56");
        }
    }

    @NeuronTest
    static class ThrottledByAverageForBytesFixture {
        @Test
        @ProfileNeff(NEFF)
        @Threshold(metric = "hbm_read_bytes", max = "1 TiB")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("metric", "throttle_avg_util_limit_nc0_percent", "0.56");
        }
    }

    @NeuronTest
    static class AverageThatLimitsNothingFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("metric", "throttle_avg_util_limit_nc0_percent", "1.0967");
        }
    }

    @NeuronTest
    static class ThrottledByAnotherNameFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("metric", "throttle_current-ramp_active_time_core0_percent", "0.56");
        }
    }

    @NeuronTest
    static class NotThrottledByAnotherNameFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("metric", "throttle_current-ramp_active_time_core0_percent", "0");
        }
    }

    @NeuronTest
    static class ExecutionOfAFemtosecondFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency(value = "17 ms", of = Latency.EXECUTION)
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("metric", "total_exec_time", "1e-15");
        }
    }

    @NeuronTest
    static class RankOfAnotherNeffFixture {
        @Test
        @ProfileNeff(TWO_RANKS)
        @MaxLatency("17 ms")
        void test(@Count(2) List<NeuronCore> cores, FakeNeuronHost fake) {
            fake.profiler().script("wrong-uuid", "rank", 1);
        }
    }

    @NeuronTest
    static class EmptyTraceOfRankFixture {
        @Test
        @ProfileNeff(TWO_RANKS)
        @MaxLatency("17 ms")
        void test(@Count(2) List<NeuronCore> cores, FakeNeuronHost fake) {
            fake.profiler().script("ntff-bytes", 0, "rank", 1);
        }
    }

    @NeuronTest
    static class LostEventsOfRankFixture {
        @Test
        @ProfileNeff(TWO_RANKS)
        @Threshold(metric = "hbm_read_bytes", max = "1 TiB")
        void test(@Count(2) List<NeuronCore> cores, FakeNeuronHost fake) {
            fake.profiler().script("dropped", 7, "rank", 1);
        }
    }

    @NeuronTest
    static class TwoOfFourRanksWithoutTraceFixture {
        @Test
        @ProfileNeff(FOUR_RANKS)
        @MaxLatency("17 ms")
        void test(@Count(4) List<NeuronCore> cores, FakeNeuronHost fake) {
            fake.profiler().script("no-trace", "rank", 2);
            fake.profiler().script("no-trace", "rank", 3);
        }
    }

    @NeuronTest
    static class LatencyOfNothingFixture {
        @Test
        void test(NeuronCore core, Comparisons comparisons) {
            comparisons.latency("p50").compareTimes(() -> Duration.ZERO);
        }
    }

    @NeuronTest
    static class NoCyclesFixture {
        @Test
        @ProfileNeff(NEFF)
        @Threshold(metric = "neuroncore_cycle_count", max = "1000000000")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("metric", "neuroncore_cycle_count", "0");
        }
    }

    @NeuronTest
    static class CollectivesFixture {

        private static String time = "0.005";

        @Test
        @ProfileNeff(NEFF)
        @CompareToBaseline(metric = "cc_op_time")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("metric", "cc_op_time", time);
        }
    }

    @NeuronTest
    static class TwoRanksFixture {
        @Test
        @ProfileNeff(TWO_RANKS)
        @MaxLatency("17 ms")
        void test(@Count(2) List<NeuronCore> cores) {}
    }

    @NeuronTest
    static class SlowRankFixture {
        @Test
        @ProfileNeff(TWO_RANKS)
        @MaxLatency("17 ms")
        void test(@Count(2) List<NeuronCore> cores, FakeNeuronHost fake) {
            fake.profiler().script("slowdown", 2, "rank", 1);
        }
    }

    @NeuronTest
    static class SlowRankWithoutTraceFixture {
        @Test
        @ProfileNeff(TWO_RANKS)
        @MaxLatency("17 ms")
        void test(@Count(2) List<NeuronCore> cores, FakeNeuronHost fake) {
            fake.profiler().script("slowdown", 2, "rank", 1);
            fake.profiler().script("no-trace", "rank", 1);
        }
    }

    @NeuronTest
    static class FirstRankWithoutTraceFixture {
        @Test
        @ProfileNeff(value = TWO_RANKS, executions = 2)
        @Threshold(metric = "hbm_read_bytes", max = "1 TiB")
        void test(@Count(2) List<NeuronCore> cores, FakeNeuronHost fake) {
            fake.profiler().script("no-trace", "rank", 0);
        }
    }

    @NeuronTest
    static class RankOfTablesWithoutTraceFixture {
        @Test
        @ProfileNeff(value = TWO_RANKS, tables = true)
        @MaxLatency("17 ms")
        void test(@Count(2) List<NeuronCore> cores, FakeNeuronHost fake) {
            fake.profiler().script("no-trace", "rank", 1);
        }
    }

    @NeuronTest
    static class NamedWorkerWithoutTraceFixture {
        @Test
        @MaxLatency("17 ms")
        void test(@Count(2) List<NeuronCore> cores, Profiler profiler, FakeNeuronHost fake) {
            fake.profiler().script("no-trace", "rank", 1);
            profiler.capture(Path.of(TWO_RANKS)).collectives(Collectives.of(2)).run();
        }
    }

    /** Scripts a call that logs a line and ends with 0. */
    private static void log(FakeNeuronHost fake, String call, String line) {
        fake.profiler().script("log", call, line);
    }

    @NeuronTest
    static class LostEventsOfCaptureFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "capture", "WARN[0001] Lost 12 events");
        }
    }

    @NeuronTest
    static class FailedToParseFixture {
        @Test
        @ProfileNeff(NEFF)
        @Threshold(metric = "hbm_read_bytes", max = "1 TiB")
        void test(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "view", "ERRO[0003] Failed to parse 12 instructions");
        }
    }

    @NeuronTest
    static class PanicFixture {
        @Test
        @ProfileNeff(value = NEFF, tables = true)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "view", "panic: runtime error: index out of range [3]");
        }
    }

    @NeuronTest
    static class InaccurateDmaFixture {
        @Test
        @ProfileNeff(NEFF)
        @Threshold(metric = "hbm_read_bytes", max = "1 TiB")
        void test(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "view", "DMA results may not be accurate");
        }
    }

    @NeuronTest
    static class InaccurateDmaForLatencyFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "view", "DMA results may not be accurate");
        }
    }

    @NeuronTest
    static class DmaWarningOfTablesFixture {
        @Test
        @ProfileNeff(value = NEFF, tables = true)
        @Threshold(metric = "dma_transfer_count", max = "1000000000")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler()
                    .script(
                            "warning",
                            "Missing Data",
                            "Missing additional dynamic DMA metadata, reported DMA values may be inaccurate");
        }
    }

    @NeuronTest
    static class SchemaWarningOfTablesFixture {
        @Test
        @ProfileNeff(value = NEFF, tables = true)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler()
                    .script(
                            "warning",
                            "Schema",
                            "Schema validation: Unexpected key 'subgraph' cannot be saved to table 'TimelineAnnotation'. This key and value will be dropped.");
        }
    }

    @NeuronTest
    static class OtherErrorFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "capture", "ERROR something new");
        }
    }

    @NeuronTest
    static class ErrorOfInspectedWorkloadFixture {
        @Test
        @ProfileWorkloads
        @Threshold(metric = "hbm_read_bytes", max = "1 TiB")
        void test(NeuronCore core, Workloads workloads, FakeNeuronHost fake) {
            log(fake, "view", "WARN[0001] 7 notifications lost");
            workloads
                    .command(fake.directory().resolve("bin/run-neff").toString(), NEFF)
                    .run();
        }
    }

    @NeuronTest
    static class DroppedOnCoreZeroFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "capture", "WARN[0001] Notifications were dropped on core 0");
        }
    }

    @NeuronTest
    static class LostBesideNothingDroppedFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "capture", "WARN[0001] Lost 12 events, 0 packets dropped");
        }
    }

    @NeuronTest
    static class LossInFieldsOfLogFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "view", "{\"level\":\"warning\",\"droppedEvents\":12}");
        }
    }

    @NeuronTest
    static class ColouredLossFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "view", "WARN[0001] 12 events \u001b[31mlost\u001b[0m");
        }
    }

    @NeuronTest
    static class LossBehindLongLineFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "capture", "trace of " + "x".repeat(500) + ": Lost 12 events");
        }
    }

    @NeuronTest
    static class PanicOfDmaFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "view", "panic: runtime error in the DMA ring");
        }
    }

    @NeuronTest
    static class NothingLostFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "capture", "INFO[0001] trace done, 0 of 12 events dropped");
        }
    }

    @NeuronTest
    static class ColouredErrorFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            log(fake, "capture", "\u001b[31mERRO\u001b[0m[0003] something new");
        }
    }

    private static Arguments notices(Class<?> fixture, String line) {
        return arguments(fixture, 0L, 0L, line, 0);
    }

    private static Arguments aborts(Class<?> fixture, String line) {
        return arguments(fixture, 0L, 1L, line, 1);
    }

    private static Arguments passes(Class<?> fixture) {
        return arguments(fixture, 0L, 0L, "1 passed", 0);
    }

    private static Arguments fails(Class<?> fixture, String line) {
        return arguments(fixture, 1L, 0L, line, 1);
    }

    private static Stream<Arguments> worlds() {
        return Stream.of(
                passes(LeadingZeroCapturedFixture.class),
                passes(LeadingZeroOfWorkloadFixture.class),
                passes(LeadingZeroWithTablesFixture.class),
                passes(ZerosCapturedFixture.class),
                fails(ZerosTooSlowFixture.class, "total_time"),
                fails(ZerosGivenFixture.class, "does not show which NEFF made it"),
                fails(ZerosForLeadingZeroFixture.class, "does not show which NEFF made it"),
                fails(LeadingZeroOfAnotherNeffFixture.class, "was made by a NEFF with UUID"),
                fails(LeadingZeroTooSlowFixture.class, "total_time"),
                fails(LeadingZeroGivenFixture.class, "does not show which NEFF made it"),
                fails(LeadingZeroForAnotherNeffFixture.class, "does not show which NEFF made it"),
                fails(LostEventsOfCaptureFixture.class, "Lost 12 events"),
                fails(FailedToParseFixture.class, "Failed to parse 12 instructions"),
                fails(PanicFixture.class, "panic: runtime error"),
                fails(InaccurateDmaFixture.class, "DMA results may not be accurate"),
                notices(InaccurateDmaForLatencyFixture.class, "DMA results may not be accurate"),
                fails(DmaWarningOfTablesFixture.class, "reported DMA values may be inaccurate"),
                passes(SchemaWarningOfTablesFixture.class),
                notices(OtherErrorFixture.class, "capture ended well, but printed \"ERROR something new\""),
                fails(ErrorOfInspectedWorkloadFixture.class, "7 notifications lost"),
                fails(DroppedOnCoreZeroFixture.class, "Notifications were dropped on core 0"),
                fails(LostBesideNothingDroppedFixture.class, "Lost 12 events, 0 packets dropped"),
                fails(LossInFieldsOfLogFixture.class, "droppedEvents"),
                fails(ColouredLossFixture.class, "12 events lost"),
                fails(LossBehindLongLineFixture.class, "Lost 12 events"),
                fails(PanicOfDmaFixture.class, "panic: runtime error in the DMA ring"),
                passes(NothingLostFixture.class),
                notices(ColouredErrorFixture.class, "capture ended well, but printed \"ERRO[0003] something new\""),
                passes(TwoRanksFixture.class),
                fails(SlowRankFixture.class, "total_time"),
                fails(SlowRankWithoutTraceFixture.class, "Rank 0 left a trace"),
                fails(FirstRankWithoutTraceFixture.class, "Rank 0 left no trace"),
                fails(RankOfTablesWithoutTraceFixture.class, "Rank 1 left no trace"),
                fails(NamedWorkerWithoutTraceFixture.class, "Rank 1 left no trace"),
                aborts(ThrottledByAverageFixture.class, "an unknown part of the time by periodic on nc0, limit 56 %"),
                aborts(ThrottledByAverageOfCoreFixture.class, "a limiter without a name on nc0, limit 56 %"),
                aborts(
                        ThrottledByAnotherNameFixture.class,
                        "an unknown part of the time by throttle_current-ramp_active_time_core0_percent"),
                passes(NotThrottledByAnotherNameFixture.class),
                fails(ExecutionOfAFemtosecondFixture.class, "total_exec_time is 0.000000000000001"),
                fails(RankOfAnotherNeffFixture.class, "was made by a NEFF with UUID"),
                fails(EmptyTraceOfRankFixture.class, "is empty"),
                fails(LostEventsOfRankFixture.class, "7 trace events were dropped"),
                fails(TwoOfFourRanksWithoutTraceFixture.class, "Rank 0, 1 left a trace"),
                passes(ThrottledByAverageForBytesFixture.class),
                passes(AverageThatLimitsNothingFixture.class),
                fails(LatencyOfNothingFixture.class, "neither a measurement nor an improvement"),
                fails(NoCyclesFixture.class, "neuroncore_cycle_count is 0"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("worlds")
    void resultReportAndGateAgree(Class<?> fixture, long failed, long aborted, String line, int status) {
        // when
        TestExecutionSummary summary = new NeuronTestKit(output)
                .on("fake:inf2.24xlarge@driver-2.30")
                .with("neuron.test.summary", "false")
                .launch(fixture);
        CommandFixture report =
                CommandFixture.run("report", output.resolve("run").toString(), "--gate");

        // then
        assertThat(summary.getTestsFailedCount())
                .as(() -> summary.getFailures().toString())
                .isEqualTo(failed);
        assertThat(summary.getTestsAbortedCount()).isEqualTo(aborted);
        assertThat(report.out().replaceAll("\\s+", " ")).contains(line);
        assertThat(report.status()).as(report.out()).isEqualTo(status);
    }

    private NeuronTestKit comparing(String run) {
        return new NeuronTestKit(output.resolve(run))
                .with("neuron.test.summary", "false")
                .with(
                        "neuron.test.baseline.directory",
                        output.resolve("baselines").toString());
    }

    /** Writes a baseline of ten runs of 5 ms. */
    private void givenBaseline(NeuronTestKit first) {
        Comparison comparison = RecordReader.OPEN.read(
                first.events(RunEvent.Compared.class).get(0).comparison(), Comparison.class);
        BaselineFixture.write(
                BaselineStore.in(output.resolve("baselines")),
                List.of(new BaselineEntry(
                        comparison.key(),
                        comparison.metric(),
                        comparison.stack(),
                        new Sample(Collections.nCopies(10, 0.005), 1),
                        Optional.empty(),
                        LocalDate.now(),
                        "",
                        "",
                        List.of())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-0.0", "1e-15", "1e-300"})
    void timeNearZeroIsNoImprovement(String time) {
        // given
        CollectivesFixture.time = "0.005";
        NeuronTestKit first = comparing("first");
        first.launch(CollectivesFixture.class);
        givenBaseline(first);

        // when
        CollectivesFixture.time = time;
        TestExecutionSummary summary = comparing("second").launch(CollectivesFixture.class);
        CommandFixture report =
                CommandFixture.run("report", output.resolve("second/run").toString(), "--gate");

        // then
        assertThat(summary.getTestsFailedCount()).isEqualTo(1);
        assertThat(report.out()).contains("0 s is neither a measurement nor an improvement");
        assertThat(report.status()).as(report.out()).isEqualTo(1);
    }
}
