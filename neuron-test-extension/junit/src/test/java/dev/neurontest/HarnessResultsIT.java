package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Comparisons;
import dev.neurontest.baseline.PercentileLimit;
import dev.neurontest.baseline.SamplesException;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.baseline.history.BaselineFixture;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Unit;
import dev.neurontest.workload.NeuronWorkload;
import dev.neurontest.workload.WorkloadFailure;
import dev.neurontest.workload.WorkloadResult;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of results that programs of a test write: compared with baselines, and checked against limits. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class HarnessResultsIT {

    @TempDir
    private Path output;

    private static Path file;

    /** Returns the content of the result file by the number of the run. */
    private static IntFunction<String> content;

    private static int runs;

    @BeforeEach
    void start() {
        file = output.resolve("bench.json");
        runs = 0;
    }

    private NeuronTestKit kit(String run) {
        return new NeuronTestKit(output.resolve(run))
                .with("neuron.test.baseline.directory", baselines().toString());
    }

    private NeuronTestKit kit() {
        return kit("run");
    }

    private Path baselines() {
        return output.resolve("baselines");
    }

    private static List<Comparison> compared(NeuronTestKit kit) {
        return kit.events(RunEvent.Compared.class).stream()
                .map(event -> RecordReader.OPEN.read(event.comparison(), Comparison.class))
                .toList();
    }

    private static void passes(EngineExecutionResults results) {
        assertThat(NeuronTestKit.failures(results)).isEmpty();
        assertThat(results.testEvents().succeeded().count()).isEqualTo(1);
    }

    private static Outcome outcome(NeuronTestKit kit) {
        List<RunEvent.TestFinished> finished = kit.events(RunEvent.TestFinished.class);
        return finished.get(finished.size() - 1).outcome();
    }

    /** Returns the result of a vLLM benchmark without details. */
    private static String serving(double ttft, int concurrency, int completed, int failed) {
        return """
                {"backend": "openai", "model_id": "m", "num_prompts": 100, "request_rate": "inf", "max_concurrency": %s,
                 "completed": %s, "failed": %s, "request_throughput": 2.0, "median_ttft_ms": %s, "p99_ttft_ms": 69.7}
                """.formatted(concurrency, completed, failed, 1000 * ttft);
    }

    /** Returns results whose median varies a little from run to run. */
    private static IntFunction<String> about(double ttft, int concurrency) {
        return run -> serving(ttft * (1 + 0.003 * new Random(run).nextGaussian()), concurrency, 100, 0);
    }

    /** Returns the result of a vLLM benchmark with the times of each request. */
    private static String detailed(int requests, int slow, int failed) {
        String times = IntStream.range(0, requests)
                .mapToObj(request -> request < slow ? "0.3" : "0.05")
                .collect(Collectors.joining(", "));
        return """
                {"model_id": "m", "num_prompts": %s, "completed": %s, "failed": %s, "request_throughput": 2.0,
                 "ttfts": [%s], "median_ttft_ms": 50.0, "p99_ttft_ms": 69.7}
                """.formatted(requests, requests - failed, failed, times);
    }

    private static NeuronWorkload.Builder benchmark(Workloads workloads) {
        return workloads.command(
                "sh", "-c", "printf '%s' \"$1\" > \"$2\"", "bench", content.apply(++runs), file.toString());
    }

    @NeuronTest
    static class ComparedFixture {
        @Test
        void answersAsFastAsBefore(NeuronCore core, Workloads workloads, Comparisons comparisons) {
            comparisons.samples("3 %", () -> benchmark(workloads).run().samples("ttft", file));
        }
    }

    @NeuronTest
    static class OneRunFixture {
        @Test
        void runsTheProgramOnce(NeuronCore core, Workloads workloads, Comparisons comparisons) {
            WorkloadResult result = benchmark(workloads).run();
            comparisons.samples(() -> result.samples("ttft", file));
        }
    }

    @NeuronTest
    static class ConditionFixture {
        @Test
        void comparesNumberOfRequests(NeuronCore core, Workloads workloads, Comparisons comparisons) {
            comparisons.samples(() -> benchmark(workloads).run().samples("num_prompts", file));
        }
    }

    @NeuronTest
    static class LimitFixture {
        @Test
        void answersInTime(NeuronCore core, Workloads workloads, Comparisons comparisons) {
            PercentileLimit.Result result = comparisons.percentile(
                    99, "200 ms", benchmark(workloads).run().samples("ttft", file));
            assertThat(result.executions()).isIn(0, 1000);
        }
    }

    @NeuronTest
    static class AggregateFixture {
        @Test
        void answersInTime(NeuronCore core, Workloads workloads, Comparisons comparisons) {
            comparisons.percentile(99, "200 ms", benchmark(workloads).run().samples("p99_ttft_ms", file));
        }
    }

    @NeuronTest
    static class StaleFixture {
        @Test
        void readsFileOfEarlierRun(NeuronCore core, Workloads workloads, Comparisons comparisons) throws IOException {
            Files.writeString(file, serving(0.05, 8, 100, 0));
            Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(3600)));
            comparisons.samples(() -> workloads.command("true").run().samples("ttft", file));
        }
    }

    @NeuronTest
    static class CutFixture {
        @Test
        void comparesResultOfCutBenchmark(NeuronCore core, Workloads workloads, Comparisons comparisons) {
            comparisons.samples(() -> {
                assertThatThrownBy(() -> workloads
                                .command(
                                        "sh",
                                        "-c",
                                        "printf '%s' \"$1\" > \"$2\"; exit 3",
                                        "bench",
                                        content.apply(1),
                                        file.toString())
                                .run())
                        .isInstanceOfSatisfying(WorkloadFailure.class, failure -> cut = failure.result());
                return cut.samples("ttft", file);
            });
        }
    }

    private static WorkloadResult cut;

    @NeuronTest
    static class StoppedFixture {
        @Test
        void stopsBenchmark(NeuronCore core, Workloads workloads, Comparisons comparisons) {
            NeuronWorkload program = workloads
                    .command(
                            "sh",
                            "-c",
                            "printf '%s' \"$1\" > \"$2\"; echo written; exec sleep 600",
                            "bench",
                            content.apply(1),
                            file.toString())
                    .readyWhenPrinted("written")
                    .start()
                    .awaitReady();
            assertThatThrownBy(() -> program.stop().samples("ttft", file).median())
                    .hasMessageContaining("the program did not end on its own with exit code 0");
        }
    }

    @NeuronTest
    static class PrintedFixture {
        @Test
        void printsItsTimes(NeuronCore core, Workloads workloads) {
            WorkloadResult result = workloads
                    .command(
                            "echo",
                            "{\"neuron_test_samples\": 1, \"name\": \"decode\", \"unit\": \"ms\", \"better\": \"lower\","
                                    + " \"clock\": \"device\", \"values\": [1.5, 2.5], \"asked\": 2}")
                    .run();
            assertThat(result.samples("decode").median()).isEqualTo(0.002);
        }
    }

    private void baselineOf(double ttft, int concurrency) {
        content = about(ttft, concurrency);
        passes(kit("before").run(ComparedFixture.class));
        BaselineFixture.approve(baselines(), output.resolve("before").resolve("run"));
        runs = 100;
    }

    @Test
    void passWhenMedianIsAsInBaseline() {
        // given
        baselineOf(0.055, 8);
        content = about(0.0551, 8);
        NeuronTestKit kit = kit();

        // when
        passes(kit.run(ComparedFixture.class));

        // then
        assertThat(compared(kit)).singleElement().satisfies(comparison -> {
            assertThat(comparison.outcome()).isEqualTo(ComparisonOutcome.NOT_WORSE);
            assertThat(comparison.sample().runs()).hasSize(5);
            assertThat(comparison.metric().unit()).isEqualTo(Unit.SECONDS);
            assertThat(comparison.metric().better()).isEqualTo(Direction.LOWER);
            assertThat(comparison.stack().parts())
                    .containsEntry("capture", "client")
                    .containsEntry("aggregate", "median_ttft_ms")
                    .containsEntry("harness.format", "vllm bench serve")
                    .containsEntry("harness.model_id", "m")
                    .containsEntry("harness.max_concurrency", "8");
        });
    }

    @Test
    void failWhenMedianIsWorseThanBaseline() {
        // given
        baselineOf(0.055, 8);
        content = about(0.0583, 8);

        // then
        assertThat(onlyFailure(kit().run(ComparedFixture.class)))
                .hasMessageContaining("ttft 58.")
                .hasMessageContaining("slower than its baseline; 3 % accepted");
    }

    @Test
    void haveNoBaselineWithOtherConcurrency() {
        // given
        baselineOf(0.055, 8);
        content = about(0.1, 16);
        NeuronTestKit kit = kit();

        // when
        passes(kit.run(ComparedFixture.class));

        // then
        assertThat(compared(kit)).singleElement().satisfies(comparison -> {
            assertThat(comparison.outcome()).isEqualTo(ComparisonOutcome.NO_BASELINE);
            assertThat(comparison.reason()).isEqualTo("other-stack");
        });
    }

    @Test
    void failWhenRequestsFailedEvenIfFaster() {
        // given
        baselineOf(0.055, 8);
        content = run -> serving(0.001, 8, 98, 2);
        NeuronTestKit kit = kit().with("neuron.test.undecided", "pass");

        // when
        Throwable failure = onlyFailure(kit.run(ComparedFixture.class));

        // then
        assertThat(failure).hasMessageContaining("2 requests failed").hasMessageContaining("A run failed: ");
        assertThat(compared(kit))
                .singleElement()
                .satisfies(comparison -> assertThat(comparison.sample().runs()).isEmpty());
        assertThat(output.resolve("run").resolve("run").resolve("baseline-proposals"))
                .doesNotExist();
    }

    @Test
    void areUndecidedWhenRequestsAreMissing() {
        // given
        baselineOf(0.055, 8);
        content = run -> run < 103 ? about(0.055, 8).apply(run) : serving(0.001, 8, 98, 0);

        // when
        Throwable failure = onlyFailure(kit("fails").run(ComparedFixture.class));

        // then
        assertThat(failure)
                .hasMessageContaining("Undecided (incomplete run)")
                .hasMessageContaining("98 of 100 requests completed");
    }

    @Test
    void leaveUndecidedExpectationForGateWhenSettingsLetTestPass() {
        // given
        content = run -> serving(0.001, 8, 98, 0);
        NeuronTestKit kit = kit().with("neuron.test.undecided", "counters=pass");

        // when
        passes(kit.run(ComparedFixture.class));

        // then
        assertThat(outcome(kit)).isEqualTo(Outcome.UNDECIDED);
        assertThat(kit.events(RunEvent.LeftUndecided.class))
                .singleElement()
                .satisfies(event ->
                        assertThat(Comparison.isRule(event.undecided().rule())).isFalse());
        assertThat(kit.notices()).noneMatch(notice -> notice.contains("is proposed in"));
    }

    @Test
    void areUndecidedWhenConditionsChangeBetweenRuns() {
        // given
        content = run -> serving(0.055, run == 3 ? 16 : 8, 100, 0);

        // then
        assertThat(onlyFailure(kit().run(ComparedFixture.class)))
                .hasMessageContaining("run 3 has other conditions than the first")
                .hasMessageContaining("harness.max_concurrency 16 instead of 8");
    }

    @Test
    void areRefusedWhenTwoRunsAreOneProgram() {
        // given
        content = about(0.055, 8);

        // then
        assertThat(onlyFailure(kit().run(OneRunFixture.class)))
                .isInstanceOf(SamplesException.class)
                .hasMessageContaining("Start the program in the body of the run");
    }

    @Test
    void areRefusedWhenValueIsCondition() {
        // given
        content = about(0.055, 8);

        // then
        assertThat(onlyFailure(kit().run(ConditionFixture.class)))
                .isInstanceOf(SamplesException.class)
                .hasMessageContaining(
                        "num_prompts is a condition of the run: neither a higher nor a lower value is better");
    }

    @Test
    void keepPercentileLimit() {
        // given
        content = run -> detailed(1000, 3, 0);

        // then
        passes(kit().run(LimitFixture.class));
    }

    @Test
    void breakPercentileLimit() {
        // given
        content = run -> detailed(1000, 30, 0);

        // then
        assertThat(onlyFailure(kit().run(LimitFixture.class)))
                .hasMessageContaining("p99 at most 200 ms")
                .hasMessageContaining("30 of 1000 executions took longer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fail", "pass"})
    void failLimitWhenRequestsFailed(String policy) {
        // given
        content = run -> detailed(1000, 0, 1);

        // then
        assertThat(onlyFailure(kit().with("neuron.test.undecided", policy).run(LimitFixture.class)))
                .hasMessageContaining("was not evaluated: 1 request failed");
    }

    @Test
    void leaveLimitUndecidedWithAggregate() {
        // given
        content = run -> serving(0.05, 8, 100, 0);

        // then
        assertThat(onlyFailure(kit().run(AggregateFixture.class)))
                .hasMessageContaining("p99_ttft_ms is an aggregate, which counts once");
    }

    @Test
    void areUndecidedWhenFileIsOfEarlierRun() {
        assertThat(onlyFailure(kit().run(StaleFixture.class)))
                .hasMessageContaining("before the program started")
                .hasMessageContaining("it is the result of another run");
    }

    @Test
    void failWhenProgramFailed() {
        // given
        content = about(0.055, 8);

        // when
        EngineExecutionResults results = kit().run(CutFixture.class);

        // then
        assertThat(NeuronTestKit.failures(results))
                .singleElement()
                .satisfies(failure -> assertThat(failure.toString())
                        .contains("A run failed: ")
                        .contains("the program failed: Workload sh"));
    }

    @Test
    void proveNothingWhenProgramWasStopped() {
        // given
        content = about(0.055, 8);

        // then
        passes(kit().run(StoppedFixture.class));
    }

    @Test
    void areReadFromStandardOutput() {
        passes(kit().run(PrintedFixture.class));
    }
}
