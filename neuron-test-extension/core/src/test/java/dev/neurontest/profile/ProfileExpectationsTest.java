package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.profile.threshold.RelativeExpectation;
import dev.neurontest.internal.profile.threshold.ThresholdOutcome;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ProfileExpectationsTest {

    private static Judgement judge(Profile profile, MetricExpectation... thresholds) {
        ProfileExpectations.Builder rules = ProfileExpectations.builder();
        List.of(thresholds).forEach(rules::expect);
        return rules.build().judge(profile);
    }

    private static MetricExpectation max(String metric, String max) {
        return MetricExpectation.of(metric, max, "", "median");
    }

    private static MetricExpectation min(String metric, String min) {
        return MetricExpectation.of(metric, "", min, "median");
    }

    /** Returns the actual value of the only violation. */
    private static String actual(Judgement judgement) {
        assertThat(judgement.violations()).hasSize(1);
        return judgement.violations().get(0).actual();
    }

    /** Returns the reason of the only undecided rule. */
    private static String reason(Judgement judgement) {
        assertThat(judgement.undecided()).hasSize(1);
        return judgement.undecided().get(0).reason();
    }

    private static boolean holds(Judgement judgement) {
        return judgement.violations().isEmpty() && judgement.undecided().isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "total_time, 0.017, 17 ms, true",
        "total_time, 0.01700000000000001, 17 ms, false",
        "total_time, 0.016999, 17 ms, true",
        "hbm_read_bytes, 3145728, 3 MiB, true",
        "hbm_read_bytes, 3145729, 3 MiB, false",
        "mfu_estimated_percent, 0.42, 42 %, true",
        "mfu_estimated_percent, 0.4200001, 42 %, false",
        "spill_save_bytes, 0, 0 B, true",
        "spill_save_bytes, 1, 0 B, false"
    })
    void comparesExactlyAndAcceptsMaximumItself(String metric, double value, String max, boolean kept) {
        // given
        Profile profile = MeasuredFixture.of(metric, value).profile();

        // then
        assertThat(holds(judge(profile, max(metric, max)))).isEqualTo(kept);
    }

    @ParameterizedTest
    @CsvSource({
        "mfu_estimated_percent, 0.42, 42 %, true",
        "mfu_estimated_percent, 0.41999, 42 %, false",
        "dma_transfer_average_bytes, 32768, 32 KiB, true",
        "dma_transfer_average_bytes, 32767.5, 32 KiB, false"
    })
    void acceptsMinimumItself(String metric, double value, String min, boolean kept) {
        // given
        Profile profile = MeasuredFixture.of(metric, value).profile();

        // then
        assertThat(holds(judge(profile, min(metric, min)))).isEqualTo(kept);
    }

    private static MetricExpectation over(String statistic, String metric, String max) {
        return MetricExpectation.of(metric, max, "", statistic);
    }

    private static MeasuredFixture times(double... seconds) {
        MeasuredFixture measured = MeasuredFixture.nothing();
        for (double time : seconds) {
            measured.and("total_time", time);
        }
        return measured;
    }

    private static MeasuredFixture ranks(String metric, double... values) {
        MeasuredFixture measured = MeasuredFixture.nothing();
        for (int rank = 0; rank < values.length; rank++) {
            measured.rank(rank, metric, values[rank]);
        }
        return measured;
    }

    static Stream<Arguments> judgesMeasuredValues() {
        MetricExpectation time = max("total_time", "17 ms");
        MetricExpectation both = MetricExpectation.of("matmul_instruction_count", "64", "60", "median");
        MetricExpectation p90 = over("p90", "total_time", "17 ms");
        MetricExpectation execution = MetricExpectation.latency(Latency.EXECUTION, "17 ms", "median");
        String share = "throttle_activity_1_active_time_nc0_percent";
        double[] nine = {0.016, 0.016, 0.016, 0.016, 0.016, 0.016, 0.016, 0.016, 0.016};
        return Stream.of(
                arguments(MeasuredFixture.of("matmul_instruction_count", 48), both, "violated: 48, 20 % short"),
                arguments(MeasuredFixture.of("matmul_instruction_count", 80), both, "violated: 80, 25 % over"),
                arguments(times(0.016, 0.015, 0.030), time, "kept"),
                arguments(
                        times(0.016, 0.015, 0.030),
                        over("worst", "total_time", "17 ms"),
                        "violated: 30 ms, 76.5 % over: the worst of 3 executions (15 ms to 30 ms)"),
                arguments(
                        times(0.016, 0.018, 0.019, 0.020, 0.021, 0.022, 0.023),
                        over("each", "total_time", "17 ms"),
                        "violated: 23 ms, 35.3 % over: beyond it in 6 of 7 executions: execution 2 (18 ms), execution 3 (19 ms), execution 4 (20 ms), execution 5 (21 ms) and 2 more"),
                arguments(
                        times(nine),
                        p90,
                        "undecided: p90 requires 10 executions or more, and there are 9. Trace more of them, or judge the median."),
                arguments(times(nine).and("total_time", 0.1), p90, "kept"),
                arguments(
                        ranks("total_time", 0.015, 0.018, 0.0175, 0.016),
                        time,
                        "violated: 18 ms, 5.9 % over: on rank 1, the slowest of 4; the others are from 15 ms to 17.5 ms; also beyond it: rank 2 (17.5 ms)"),
                arguments(times(0.018, 0.018), time, "violated: 18 ms, 5.9 % over: the same in all 2 executions"),
                arguments(
                        ranks("total_time", 0.018, 0.018), time, "violated: 18 ms, 5.9 % over: on rank 0, as on all 2"),
                arguments(
                        ranks("spill_save_bytes", 0, 4096),
                        max("spill_save_bytes", "0 B"),
                        "violated: 4 KiB (4096 B): on rank 1, the worst of 2; the others are from 0 B to 0 B"),
                arguments(
                        ranks("total_time", 0.015, 0.016)
                                .rank(0, "total_time", 0.030)
                                .rank(0, "total_time", 0.015),
                        time,
                        "kept"),
                arguments(
                        times(0.018).graph("n_0000", "total_time", 0.001),
                        time,
                        "violated: 18 ms, 5.9 % over: on n_8626d546eca84cd4e976c1062dacf487d24bc675, the slowest of 2; the others are from 1 ms to 1 ms"),
                arguments(
                        MeasuredFixture.nothing()
                                .odd("total_exec_time: NaN", "total_active_time", 0.001, "total_time", 0.001),
                        execution,
                        "undecided: The tool wrote NaN for total_exec_time of /out/resnet50/profile_exec_1.ntff. Real inputs instead of zeros often help; see its output: /out/resnet50."),
                arguments(
                        MeasuredFixture.nothing()
                                .odd("total_time: written twice, 0.03 and then 0.01", "total_time", 0.01),
                        time,
                        "undecided: The tool wrote written twice, 0.03 and then 0.01 for total_time of /out/resnet50/profile_exec_1.ntff. Real inputs instead of zeros often help; see its output: /out/resnet50."),
                arguments(
                        MeasuredFixture.of("mfu_estimated_percent", 3.5),
                        min("mfu_estimated_percent", "42 %"),
                        "undecided: The tool wrote 3.5 for mfu_estimated_percent of /out/resnet50/profile_exec_1.ntff, but a fraction cannot be more than the whole, unless FP8 exceeds the peak of BF16. See its output: /out/resnet50."),
                arguments(
                        MeasuredFixture.of("mfu_estimated_percent", 3.5),
                        max("mfu_estimated_percent", "42 %"),
                        "violated: 350 %, 308 points over"),
                arguments(
                        MeasuredFixture.of("mfu_max_achievable_estimated_percent", 3.5),
                        min("mfu_max_achievable_estimated_percent", "42 %"),
                        "kept"),
                arguments(
                        MeasuredFixture.of("tensor_engine_active_time_percent", 1.7),
                        min("tensor_engine_active_time_percent", "42 %"),
                        "undecided: The tool wrote 1.7 for tensor_engine_active_time_percent of /out/resnet50/profile_exec_1.ntff, but a fraction cannot be more than the whole, unless FP8 exceeds the peak of BF16. See its output: /out/resnet50."),
                arguments(
                        MeasuredFixture.of("tensor_engine_active_time_percent", 1.001),
                        min("tensor_engine_active_time_percent", "42 %"),
                        "kept"),
                arguments(
                        MeasuredFixture.of("hardware_flops", 5).and("total_time", 0.01),
                        max("hardware_flops", "1 GFLOP"),
                        "violated: absent in 1 of 2 executions"),
                arguments(
                        MeasuredFixture.of("hbm_read_bytes", -1),
                        max("hbm_read_bytes", "1 GiB"),
                        "violated: -1, which means \"not available\""),
                arguments(
                        MeasuredFixture.nothing(),
                        time,
                        "undecided: Nothing was traced. See the output of the tool: /out/resnet50."),
                arguments(
                        MeasuredFixture.nothing(),
                        execution,
                        "undecided: Nothing was traced. See the output of the tool: /out/resnet50."),
                arguments(
                        MeasuredFixture.of("total_time", 0.001, "total_active_time", 0.001),
                        execution,
                        "undecided: neuron-explorer 2.32.7.0 did not write total_exec_time for /out/resnet50/profile_exec_1.ntff, and no other time can replace it. Limit another time: of = TOTAL (total_time) or of = ACTIVE (total_active_time)."),
                arguments(
                        MeasuredFixture.of(share, 0.27).doubt(Doubt.Kind.THROTTLED, "Slowed down."),
                        max(share, "20 %"),
                        "violated: 27 %, 7 points over"));
    }

    @ParameterizedTest(name = "{2}")
    @MethodSource
    void judgesMeasuredValues(MeasuredFixture measured, MetricExpectation threshold, String found) {
        // when
        Judgement judgement = judge(measured.profile(), threshold);

        // then
        assertThat(Stream.of(
                                judgement.violations().stream().map(violation -> "violated: " + violation.actual()),
                                judgement.undecided().stream().map(undecided -> "undecided: " + undecided.reason()),
                                holds(judgement) ? Stream.of("kept") : Stream.<String>empty())
                        .flatMap(each -> each))
                .containsExactly(found);
    }

    @Test
    void namesBothLimitsInViolation() {
        // given
        MetricExpectation both = MetricExpectation.of("matmul_instruction_count", "64", "60", "median");

        // then
        assertThat(judge(MeasuredFixture.of("matmul_instruction_count", 48).profile(), both)
                        .violations())
                .extracting(Violation::expected)
                .containsExactly("at most 64 and at least 60");
    }

    @Test
    void absentMetricBreaksLimitAndNamesNearest() {
        // given
        Profile profile = MeasuredFixture.of("total_time", 0.01, "total_active_time", 0.009, "event_count", 1)
                .profile();

        // when
        Violation violation =
                judge(profile, max("total_exec_time", "17 ms")).violations().get(0);

        // then
        assertThat(violation.actual()).isEqualTo("absent");
        assertThat(violation.advice())
                .isEqualTo(
                        "Absent is not zero. It is written by newer versions of neuron-explorer only, and not for every graph; this is neuron-explorer 2.32.7.0. Nearest in this summary: total_time, total_active_time.");
    }

    @Test
    void misspeltMetricBreaksItsLimit() {
        // given
        Profile profile = MeasuredFixture.of("spill_save_bytes", 0).profile();

        // when
        Judgement judgement = judge(profile, max("spil_save_bytes", "0 B"));

        // then
        assertThat(judgement.violations())
                .singleElement()
                .extracting(Violation::advice)
                .isEqualTo(
                        "Absent is not zero. No tool is known to write it; this is neuron-explorer 2.32.7.0. Nearest in this summary: spill_save_bytes.");
        assertThat(judgement.notices())
                .containsExactly(
                        "spil_save_bytes is not a known metric: the value that the tool writes is read as a number of unit \"bytes\".");
    }

    @Test
    void givesNoticeAboveOneHundredPercent() {
        // given
        Profile profile = MeasuredFixture.of("hfu_estimated_percent", 1.7).profile();

        // when
        Judgement judgement = judge(profile, max("hfu_estimated_percent", "200 %"));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided()).isEmpty();
        assertThat(judgement.notices())
                .containsExactly(
                        "hfu_estimated_percent is above 100 %: it is relative to the peak of BF16, which FP8 can exceed. Without FP8, it is doubtful.");
    }

    @ParameterizedTest
    @CsvSource({"9.99, 899 % over", "10, 10 times the limit", "462, 462 times the limit"})
    void printsLargeMarginAsMultipleOfLimit(double value, String margin) {
        // given
        Profile profile = MeasuredFixture.of("total_time", value).profile();

        // when
        List<ThresholdOutcome> outcomes = ProfileExpectations.builder()
                .expect(max("total_time", "1 s"))
                .build()
                .outcomes(profile);

        // then
        assertThat(outcomes).extracting(ThresholdOutcome::margin).containsExactly(margin);
    }

    @Test
    void unknownMetricIsJudgedAsPlainNumber() {
        // given
        Profile profile = MeasuredFixture.of("warp_ratio", 0.5).profile();

        // when
        Judgement judgement = judge(profile, max("warp_ratio", "0.4"));

        // then
        assertThat(actual(judgement)).isEqualTo("0.5, 25 % over");
        assertThat(judgement.notices())
                .containsExactly(
                        "warp_ratio is not a known metric: the value that the tool writes is read as a plain number.");
    }

    @ParameterizedTest
    @CsvSource({
        "hbm_read_bytes, true",
        "hbm_write_bytes, true",
        "dma_active_time_percent, true",
        "static_dma_packet_count, true",
        "weight_queue_bytes, true",
        "spill_reload_bytes, true",
        "mbu_min_read_util_percent, true",
        "mfu_max_achievable_estimated_percent, true",
        "total_time, false",
        "mfu_estimated_percent, false",
        "sbuf_read_bytes, false",
        "matmul_instruction_count, false",
        "cc_op_time, false"
    })
    void inaccurateDmaMakesOnlyDmaMetricsUndecided(String metric, boolean open) {
        // given
        Profile profile = MeasuredFixture.of(metric, 0)
                .doubt(Doubt.Kind.DOUBTFUL_DMA, "DMA may be inaccurate.")
                .profile();

        // when
        String unit = metric.endsWith("_bytes")
                ? "1 B"
                : metric.endsWith("_time") ? "1 s" : metric.endsWith("_count") ? "1" : "1 %";
        Judgement judgement = judge(profile, max(metric, unit));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided()).hasSize(open ? 1 : 0);
        assertThat(judgement.notices().contains("DMA may be inaccurate.")).isEqualTo(!open);
    }

    @ParameterizedTest
    @EnumSource(
            value = Doubt.Kind.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"FIRST_EXECUTION", "DOUBTFUL_DMA"})
    void doubtfulProfileIsUndecided(Doubt.Kind kind) {
        // given
        Profile slow = MeasuredFixture.of("total_time", 1)
                .doubt(kind, "Something was wrong.")
                .profile();
        Profile slowExecution = MeasuredFixture.of("total_time", 1)
                .doubtful(kind, "Something was wrong.", "total_time", 1)
                .profile();

        // then
        assertThat(List.of(slow, slowExecution)).allSatisfy(profile -> {
            Judgement judgement = judge(profile, max("total_time", "17 ms"));
            assertThat(judgement.violations()).isEmpty();
            assertThat(judgement.undecided())
                    .containsExactly(new Undecided(
                            "@Threshold(metric = \"total_time\", max = \"17 ms\")",
                            "total_time",
                            "Something was wrong."));
        });
    }

    @Test
    void doubtfulProfileIsUndecidedWithoutThresholds() {
        // given
        Profile profile = MeasuredFixture.nothing()
                .doubt(Doubt.Kind.NOT_CAPTURED, "The tool was ended at its deadline.")
                .profile();

        // then
        assertThat(ProfileExpectations.DEFAULT.judge(profile).undecided())
                .containsExactly(
                        new Undecided("a valid profile", "resnet50.neff", "The tool was ended at its deadline."));
        assertThat(ProfileExpectations.DEFAULT
                        .judge(MeasuredFixture.of("total_time", 1).profile())
                        .undecided())
                .isEmpty();
    }

    @Test
    void leavesFirstExecutionOutOfTimesOnly() {
        // given
        Profile profile = MeasuredFixture.nothing()
                .doubtful(
                        Doubt.Kind.FIRST_EXECUTION,
                        "Only the first execution was traced.",
                        "total_time",
                        0.1,
                        "mfu_estimated_percent",
                        0.01,
                        "hbm_read_bytes",
                        4096)
                .and("total_time", 0.016, "mfu_estimated_percent", 0.5, "hbm_read_bytes", 1024)
                .profile();

        // when
        Judgement kept = judge(profile, max("total_time", "17 ms"), min("mfu_estimated_percent", "42 %"));
        Judgement bytes = judge(profile, MetricExpectation.of("hbm_read_bytes", "1 KiB", "", "worst"));

        // then
        assertThat(holds(kept)).isTrue();
        assertThat(kept.notices())
                .containsExactly(
                        "total_time: the first execution is left out, because it includes start-up.",
                        "mfu_estimated_percent: the first execution is left out, because it includes start-up.");
        assertThat(bytes.violations()).hasSize(1);
        assertThat(bytes.notices()).isEmpty();
    }

    @Test
    void timesOfFirstExecutionAloneAreUndecided() {
        // given
        Profile profile = MeasuredFixture.nothing()
                .doubtful(
                        Doubt.Kind.FIRST_EXECUTION,
                        "Only the first execution was traced.",
                        "total_time",
                        0.1,
                        "hbm_read_bytes",
                        4096)
                .profile();

        // when
        Judgement judgement = judge(profile, max("total_time", "17 ms"), max("hbm_read_bytes", "1 KiB"));

        // then
        assertThat(reason(judgement)).isEqualTo("Only the first execution was traced.");
        assertThat(judgement.violations())
                .singleElement()
                .extracting(Violation::subject)
                .isEqualTo("hbm_read_bytes");
    }

    @ParameterizedTest
    @CsvSource({"TOTAL, total_time", "EXECUTION, total_exec_time", "ACTIVE, total_active_time"})
    void latencySelectsItsMetric(Latency of, String metric) {
        // given
        MetricExpectation latency = MetricExpectation.latency(of, "17 ms", "median");
        MeasuredFixture slow =
                MeasuredFixture.of("total_time", 1, "total_active_time", 1, "total_exec_time", 1, metric, 0.016);
        MeasuredFixture fast = MeasuredFixture.of(
                "total_time", 0.001, "total_active_time", 0.001, "total_exec_time", 0.001, metric, 0.018);

        // then
        assertThat(holds(judge(slow.profile(), latency))).isTrue();
        assertThat(judge(fast.profile(), latency).violations())
                .singleElement()
                .extracting(Violation::subject)
                .isEqualTo(metric);
    }

    @Test
    void advisesOtherMetricWhenMfuIsZero() {
        // given
        Profile profile =
                MeasuredFixture.of("mfu_estimated_percent", 0, "model_flops", 0).profile();

        // then
        assertThat(judge(profile, min("mfu_estimated_percent", "42 %")).violations())
                .singleElement()
                .extracting(Violation::advice)
                .isEqualTo(
                        "It is 0 without matrix multiplications: use mbu_estimated_percent there. In older tools it is also 0 for kernels without a source graph: use mfu_inst_estimated_percent there.");
    }

    @Test
    void throttlingPutsOnlyTimesInDoubt() {
        // given: a genuine profile that was throttled for 27 % of the time
        MeasuredFixture throttled = MeasuredFixture.of(
                        "total_time",
                        1,
                        "spill_save_bytes",
                        0,
                        "mfu_estimated_percent",
                        0.5,
                        "new_count",
                        3,
                        "new_time",
                        3)
                .doubt(Doubt.Kind.THROTTLED, "Slowed down.");
        Profile profile = throttled.profile();

        // then
        assertThat(judge(profile, max("spill_save_bytes", "0 B"))).satisfies(judgement -> {
            assertThat(judgement.undecided()).isEmpty();
            assertThat(judgement.violations()).isEmpty();
            assertThat(judgement.notices()).contains("Slowed down.");
        });
        assertThat(judge(profile, max("new_count", "2")).violations()).hasSize(1);
        for (MetricExpectation time :
                List.of(max("total_time", "2 s"), min("mfu_estimated_percent", "42 %"), max("new_time", "5 s"))) {
            assertThat(reason(judge(profile, time))).isEqualTo("Slowed down.");
        }
    }

    @Test
    void detectsWhenOnlyThrottlingLeavesItUndecided() {
        // given
        Expectation<Profile> time =
                ProfileExpectations.builder().expect(max("total_time", "2 s")).build()::judge;
        MeasuredFixture throttled = MeasuredFixture.of("total_time", 1).doubt(Doubt.Kind.THROTTLED, "Slowed down.");

        // then
        assertThat(ProfileExpectations.onlyThrottlingLeavesOpen(time, throttled.profile()))
                .isTrue();
        assertThat(ProfileExpectations.onlyThrottlingLeavesOpen(
                        time,
                        MeasuredFixture.nothing()
                                .odd("total_time: NaN")
                                .doubt(Doubt.Kind.THROTTLED, "Slowed down.")
                                .profile()))
                .isFalse();
        assertThat(ProfileExpectations.onlyThrottlingLeavesOpen(
                        time, throttled.doubt(Doubt.Kind.OTHER_NEFF, "Another.").profile()))
                .isFalse();
        assertThat(ProfileExpectations.onlyThrottlingLeavesOpen(
                        time, MeasuredFixture.of("total_time", 1).profile()))
                .isFalse();
    }

    @Test
    void comparesTimesWithinOneClassOfThrottling() {
        // given
        String share = "throttle_activity_1_active_time_nc0_percent";
        String limit = "throttle_activity_1_avg_util_limit_nc0_percent";
        Profile slow = MeasuredFixture.of("total_time", 1, share, 0.27, limit, 0.5)
                .doubt(Doubt.Kind.THROTTLED, "Slowed down.")
                .profile();
        Profile alike = MeasuredFixture.of("total_time", 1, share, 0.31, limit, 0.5)
                .doubt(Doubt.Kind.THROTTLED, "Slowed down too.")
                .profile();
        Profile free = MeasuredFixture.of("total_time", 1).profile();

        // then
        assertThat(slow.throttleClass()).isEqualTo("activity_1 30 % at 50 %").isEqualTo(alike.throttleClass());
        assertThat(free.throttleClass()).isEmpty();
        assertThat(MeasuredFixture.of("total_time", 1, share, 0.27, limit, 1.0967)
                        .profile()
                        .throttleClass())
                .isEmpty();
        assertThat(relative(alike).judge(slow).undecided()).isEmpty();
        assertThat(relative(free).judge(slow).undecided()).hasSize(1);
    }

    private static RelativeExpectation relative(Profile other) {
        return new RelativeExpectation(
                "total_time",
                Optional.of(new Fraction(1)),
                Optional.empty(),
                "other",
                () -> Optional.of(other),
                "@RelativeToTest");
    }

    private static ThresholdOutcome outcome(Profile profile, MetricExpectation threshold) {
        return ProfileExpectations.builder()
                .expect(threshold)
                .build()
                .outcomes(profile)
                .get(0);
    }

    @Test
    void namesExecutionThatDecides() {
        // given
        Profile profile = MeasuredFixture.of("total_time", 0.030)
                .and("total_time", 0.015)
                .and("total_time", 0.016)
                .profile();

        // when
        ThresholdOutcome outcome = outcome(profile, max("total_time", "17 ms"));

        // then
        assertThat(outcome.trace().orElseThrow().index()).isEqualTo(3);
        assertThat(outcome.value()).contains(new Quantity(0.016, Unit.SECONDS));
        assertThat(outcome.shown()).isEqualTo("16 ms");
        assertThat(outcome.limit()).isEqualTo("at most 17 ms");
        assertThat(outcome.margin()).isEqualTo("5.9 % left");
    }

    @Test
    void outcomeIsKeptUnlessViolatedOrUndecided() {
        // given
        MetricExpectation limit = max("total_time", "17 ms");

        // then
        assertThat(outcome(MeasuredFixture.of("total_time", 0.016).profile(), limit)
                        .isKept())
                .isTrue();
        assertThat(outcome(MeasuredFixture.of("total_time", 0.018).profile(), limit)
                        .isKept())
                .isFalse();
        assertThat(outcome(MeasuredFixture.nothing().profile(), limit)).satisfies(undecided -> {
            assertThat(undecided.isKept()).isFalse();
            assertThat(undecided.shown()).isEmpty();
        });
    }

    @Test
    void adviceDependsOnVariationBetweenRuns() {
        // given
        String slowedDown = "throttle_activity_1_active_time_nc0_percent";

        // then
        assertThat(advice(MeasuredFixture.of("matmul_instruction_count", 80), max("matmul_instruction_count", "64")))
                .startsWith("It does not vary between runs of one NEFF");
        assertThat(advice(MeasuredFixture.of("warp_count", 80), max("warp_count", "78")))
                .startsWith("It varies between runs");
        assertThat(advice(MeasuredFixture.of("total_time", 1.05), max("total_time", "1 s")))
                .startsWith("It varies between runs")
                .contains("One execution decided it: trace more")
                .endsWith("where the time goes. If it is intended, change the threshold.");
        assertThat(advice(MeasuredFixture.of("total_time", 1.05).and("total_time", 1.05), max("total_time", "1 s")))
                .doesNotContain("One execution")
                .contains("See in the trace where the time goes. If it");
        assertThat(advice(MeasuredFixture.of("total_time", 1.05, slowedDown, 0.04), max("total_time", "1 s")))
                .contains(" The device was slowed down for 4 % of the time. If it");
    }

    @ParameterizedTest
    @CsvSource({
        "total_time,               0.0161, '15 ms', 'It varies between runs'",
        "total_time,               0.0165, '15 ms', 'It varies between runs'",
        "total_time,               0.0167, '15 ms', 'See in the trace where the time goes. If it is'",
        "total_time,               0.024,  '15 ms', 'See in the trace where the time goes. If it is'",
        "throttle_time,            3,      '0 s',    'See in the trace where the time goes. If it is'",
        "matmul_instruction_count, 65,     '64',    'It does not vary between runs'",
    })
    void adviceNamesNoiseOnlyNearLimit(String metric, double value, String limit, String advice) {
        assertThat(advice(MeasuredFixture.of(metric, value), max(metric, limit)))
                .startsWith(advice);
    }

    @Test
    void adviceNamesNoiseOnlyNearLowerLimit() {
        // given
        MetricExpectation atLeast = MetricExpectation.of("mfu_estimated_percent", "", "42 %", "median");

        // then
        assertThat(advice(MeasuredFixture.of("mfu_estimated_percent", 0.40), atLeast))
                .startsWith("It varies between runs");
        assertThat(advice(MeasuredFixture.of("mfu_estimated_percent", 0.109), atLeast))
                .startsWith("See in the trace where the time goes. If it is");
    }

    private static String advice(MeasuredFixture measured, MetricExpectation threshold) {
        return judge(measured.profile(), threshold).violations().get(0).advice();
    }

    @Test
    void keepsThresholdsInTheirOrder() {
        // given
        MetricExpectation first = max("total_time", "17 ms");
        MetricExpectation second = max("hbm_read_bytes", "1 MiB");

        // then
        assertThat(ProfileExpectations.builder()
                        .expect(first)
                        .expect(second)
                        .build()
                        .thresholds())
                .containsExactly(first, second);
    }

    @Test
    void comparesTimesOfNearThrottlingClasses() {
        // then
        assertThat(ProfileExpectations.areThrottledAlike("activity_1 30 % at 50 %", "activity_1 40 % at 50 %"))
                .isTrue();
        assertThat(ProfileExpectations.areThrottledAlike("activity_1 30 % at 50 %", "activity_1 50 % at 50 %"))
                .isFalse();
    }
}
