package dev.neurontest.internal.profile.summary;

import static dev.neurontest.profile.SampleFixture.has;
import static dev.neurontest.profile.SampleFixture.summary;
import static dev.neurontest.profile.SampleFixture.value;
import static dev.neurontest.profile.SampleFixture.variant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.ProfileSummary;
import dev.neurontest.profile.SampleFixture;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Tests of rules that hold between the metrics of genuine profiles. A new sample that breaks a rule shows that a unit
 * or a meaning has changed.
 */
class SummaryFactsTest {

    private static final String TRANSPOSE = "summary-json_derived_trn2_2.25_transpose_1024.json";
    private static final String VECTOR_ADD = "summary-json_derived_trn2_2.25_vecadd_fd1k.json";
    private static final String MATVEC = "summary-json_partial_inf2_2.28_matvec.json";
    private static final String VECTOR_KERNEL = "summary-json_partial_trn1_2.29_vector-kernel.json";
    private static final String CONTEXT = "explorer_summary-partial_trn2_llm-context-graph.json";

    private static final double TRN1_PEAK_FLOPS = 91.75e12;
    private static final double TRN2_PEAK_FLOPS = 78.64e12;
    private static final double TRN2_PEAK_FLOPS_OF_TWO_CORES = 157.29e12;

    /** The precision of a quotient of three numbers with four significant digits. */
    private static final Percentage ROUNDED = Percentage.withPercentage(0.1);

    private static List<ProfileSummary> summaries() {
        return SampleFixture.allSummaries().stream()
                .filter(summary -> has(summary, "total_time"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("summaries")
    void partsOfTimeAreActiveTimeOverTotalTime(ProfileSummary summary) {
        // given
        double total = value(summary, "total_time");

        // then
        for (String metric : summary.values().keySet()) {
            String time = metric.replace("_percent", "");
            if (metric.endsWith("_active_time_percent") && has(summary, time)) {
                assertThat(value(summary, metric))
                        .as(metric)
                        .isCloseTo(
                                value(summary, time) / total,
                                summary.key().startsWith("n_variant") ? ROUNDED : Percentage.withPercentage(1e-9));
            }
        }
    }

    @Test
    void partsOfTimeAreNotInPercent() {
        // then
        assertThat(summaries())
                .allSatisfy(summary -> summary.values().keySet().stream()
                        .filter(metric -> metric.endsWith("_active_time_percent"))
                        .forEach(metric ->
                                assertThat(value(summary, metric)).as(metric).isBetween(0.0, 1.0)));
    }

    @Test
    void partsOfEnginesOverlap() {
        // given
        ProfileSummary summary = SampleFixture.kernels().get(1);

        // when
        double sum = Stream.of("tensor", "vector", "scalar", "gpsimd")
                .mapToDouble(engine -> value(summary, engine + "_engine_active_time_percent"))
                .sum();

        // then
        assertThat(sum).isGreaterThan(1);
    }

    @Test
    void instructionTimesAddUpDespiteOverlap() {
        // given
        ProfileSummary summary = summary(VECTOR_KERNEL);

        // then
        assertThat(value(summary, "vector_engine_instruction_time")).isGreaterThan(value(summary, "total_time"));
    }

    @ParameterizedTest
    @CsvSource({
        TRANSPOSE + ", 1.2e9",
        VECTOR_ADD + ", 1.2e9",
        "summary-json_derived_trn2_2.25_vecadd_fd2k.json, 1.2e9",
        MATVEC + ", 1.4e9",
        VECTOR_KERNEL + ", 1.4e9"
    })
    void cyclesAreTotalTimeOfTheBaseClock(String file, double clock) {
        // given
        ProfileSummary summary = summary(file);

        // then
        assertThat(value(summary, "neuroncore_cycle_count") / value(summary, "total_time"))
                .isCloseTo(clock, Percentage.withPercentage(0.01));
    }

    @ParameterizedTest
    @CsvSource({
        TRANSPOSE + ", 716e9",
        VECTOR_ADD + ", 716e9",
        "summary-json_derived_trn2_2.25_vecadd_fd2k.json, 716e9",
        MATVEC + ", 410e9"
    })
    void mbuIsHbmTrafficOverThePeakOfOneStack(String file, double peak) {
        // given
        ProfileSummary summary = summary(file);
        double bytes = value(summary, "hbm_read_bytes") + value(summary, "hbm_write_bytes");

        // then
        assertThat(bytes / (value(summary, "total_time") * value(summary, "mbu_estimated_percent")))
                .isCloseTo(peak, Percentage.withPercentage(0.0001));
    }

    @ParameterizedTest
    @CsvSource({TRANSPOSE + ", 157.29e12", MATVEC + ", 91.75e12"})
    void hfuOfOlderToolsIsAllMatmulWorkOverThePeak(String file, double peak) {
        // then
        assertThat(workPerTime(summary(file), "hardware_flops", "hfu_estimated_percent"))
                .isCloseTo(peak, Percentage.withPercentage(0.01));
    }

    @Test
    void mfuOfOlderToolsIsWorkOfTheSourceGraphOverThePeak() {
        // given
        ProfileSummary summary = summary(MATVEC);

        // then
        assertThat(workPerTime(summary, "model_flops", "mfu_estimated_percent"))
                .isCloseTo(TRN1_PEAK_FLOPS, Percentage.withPercentage(0.01));
        assertThat(value(summary, "mfu_hlo_estimated_percent")).isEqualTo(value(summary, "mfu_estimated_percent"));
    }

    @Test
    void mfuByInstructionIsMatmulWorkWithoutTransposesOverThePeak() {
        // given
        ProfileSummary summary = summary(MATVEC);
        double work = value(summary, "hardware_flops") - value(summary, "transpose_flops");

        // then
        assertThat(work / value(summary, "total_time") / value(summary, "mfu_inst_estimated_percent"))
                .isCloseTo(TRN1_PEAK_FLOPS, Percentage.withPercentage(0.01));
    }

    @Test
    void mfuOfOlderToolsIsZeroWithoutASourceGraph() {
        // given
        ProfileSummary kernel = summary(TRANSPOSE);

        // then
        assertThat(kernel.number("model_flops")).hasValue(0);
        assertThat(value(kernel, "mfu_estimated_percent")).isZero();
        assertThat(value(kernel, "hfu_estimated_percent")).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"variant_v1, 4.0", "variant_v4, 2.2"})
    void newerExplorersDivideAdjustedWorkByThePeak(String name, double adjusted) {
        // given
        ProfileSummary kernel = variant(name);
        double work = value(kernel, "adjusted_hardware_flops") - value(kernel, "adjusted_transpose_flops");

        // then
        assertThat(value(kernel, "adjusted_hardware_flops") / value(kernel, "hardware_flops"))
                .isCloseTo(adjusted, Percentage.withPercentage(0.1));
        assertThat(workPerTime(kernel, "adjusted_hardware_flops", "hfu_estimated_percent"))
                .isCloseTo(TRN2_PEAK_FLOPS, ROUNDED);
        assertThat(work / value(kernel, "total_time") / value(kernel, "mfu_estimated_percent"))
                .isCloseTo(TRN2_PEAK_FLOPS, ROUNDED);
        assertThat(workPerTime(kernel, "hardware_flops", "hfu_estimated_percent"))
                .as("the older meaning")
                .isLessThan(TRN2_PEAK_FLOPS / 2);
        assertThat(value(kernel, "mfu_inst_estimated_percent")).isEqualTo(value(kernel, "mfu_estimated_percent"));
    }

    @Test
    void aLogicalCoreOfTwoHasTwiceThePeak() {
        // then
        assertThat(TRN2_PEAK_FLOPS_OF_TWO_CORES / TRN2_PEAK_FLOPS).isCloseTo(2, within(0.001));
        assertThat(workPerTime(summary(TRANSPOSE), "hardware_flops", "hfu_estimated_percent")
                        / workPerTime(variant("variant_v1"), "adjusted_hardware_flops", "hfu_estimated_percent"))
                .isCloseTo(2, ROUNDED);
    }

    @ParameterizedTest
    @CsvSource({TRANSPOSE + ", 109.84", VECTOR_ADD + ", 109.84", CONTEXT + ", 109.84", MATVEC + ", 223.78"})
    void theBalancePointIsThatOfTheChip(String file, double flopsPerByte) {
        // then
        assertThat(summary(file).number("peak_flops_bandwidth_ratio").orElseThrow())
                .isCloseTo(flopsPerByte, within(0.005));
    }

    @ParameterizedTest
    @ValueSource(strings = {MATVEC, CONTEXT})
    void intensityIsMatmulWorkWithoutTransposesOverHbmTraffic(String file) {
        // given
        ProfileSummary summary = summary(file);

        // then
        assertThat(summary.number("mm_arithmetic_intensity").orElseThrow())
                .isCloseTo(
                        (value(summary, "hardware_flops") - value(summary, "transpose_flops"))
                                / (value(summary, "hbm_read_bytes") + value(summary, "hbm_write_bytes")),
                        Percentage.withPercentage(1e-9));
    }

    @Test
    void theMemoryBoundIsIntensityOverTheBalancePoint() {
        // given
        ProfileSummary summary = summary(MATVEC);

        // then
        assertThat(value(summary, "mfu_inst_max_achievable_estimated_percent"))
                .isCloseTo(
                        value(summary, "mm_arithmetic_intensity") / value(summary, "peak_flops_bandwidth_ratio"),
                        Percentage.withPercentage(1e-9));
    }

    @ParameterizedTest
    @ValueSource(strings = {TRANSPOSE, VECTOR_ADD, "summary-json_derived_trn2_2.25_vecadd_fd2k.json", MATVEC})
    void averageBytesAreBytesOverTransfers(String file) {
        // given
        ProfileSummary summary = summary(file);

        // then
        assertThat(value(summary, "dma_transfer_average_bytes"))
                .isCloseTo(
                        value(summary, "dma_transfer_total_bytes") / value(summary, "dma_transfer_count"),
                        within(0.005));
    }

    @Test
    void indexOfALogicalCoreOfTwoIsTheSumOfBoth() {
        // given
        List<JsonNode> pairs = SampleFixture.json("ntff_neff_parsed-headers.json")
                .valueStream()
                .filter(pair -> pair.get("graphs").size() == 2)
                .toList();

        // then
        assertThat(pairs).isNotEmpty();
        assertThat(pairs)
                .allSatisfy(pair -> assertThat(pair.get("graphs")
                                .valueStream()
                                .mapToInt(graph -> graph.get("nc_index").intValue())
                                .sum())
                        .isEqualTo(9));
        assertThat(SampleFixture.wholeSummaryFiles())
                .allSatisfy(file -> assertThat(summary(file).number("nc_idx")).hasValue(9));
    }

    @ParameterizedTest
    @CsvSource({
        "stream_256k_fd1k, summary-json_derived_trn2_2.25_vecadd_fd1k.json",
        "stream_256k_fd2k, summary-json_derived_trn2_2.25_vecadd_fd2k.json",
        "transpose_1024, summary-json_derived_trn2_2.25_transpose_1024.json"
    })
    void totalTimeIsThatOfTheLongestGraphAndNotTheSum(String pair, String file) {
        // given
        List<Long> picoseconds = SampleFixture.json("ntff_neff_parsed-headers.json")
                .valueStream()
                .filter(each -> each.get("source").asString().matches("chenhzhu.*" + pair + ".*"))
                .flatMap(each -> each.get("graphs").valueStream())
                .map(graph -> graph.get("duration_ps").longValue())
                .toList();

        // then
        assertThat(picoseconds).hasSize(2);
        assertThat(value(summary(file), "total_time") * 1e12)
                .isCloseTo(picoseconds.stream().mapToLong(Long::longValue).max().orElseThrow(), within(0.5));
    }

    @Test
    void absentIsNotZero() {
        // given
        ProfileSummary kernel = summary(VECTOR_ADD);

        // then: no matmul in it
        assertThat(kernel.number("hardware_flops")).isEmpty();
        assertThat(kernel.number("transpose_flops")).isEmpty();
        assertThat(kernel.number("matmul_instruction_count")).isEmpty();
        assertThat(kernel.number("psum_read_bytes")).isEmpty();
        assertThat(kernel.number("weight_size_bytes")).isEmpty();
        assertThat(kernel.values().keySet()).noneMatch(metric -> metric.startsWith("throttle_"));

        // and: written as zero
        assertThat(kernel.number("model_flops")).hasValue(0);
        assertThat(kernel.number("cc_op_count")).hasValue(0);
        assertThat(kernel.number("spill_save_bytes")).hasValue(0);
    }

    @Test
    void throttledProfileHasThrottlingMetrics() {
        // given
        ProfileSummary kernel = summary(TRANSPOSE);

        // then
        assertThat(kernel.number("throttle_active_nc0_time_ns")).hasValue(12645);
        assertThat(kernel.number("throttle_activity_1_active_time_nc0_percent")).hasValueCloseTo(0.271, within(0.0005));
        assertThat(kernel.number("throttle_activity_1_avg_util_limit_nc0_percent"))
                .hasValue(0.5);
    }

    @Test
    void uiShowsSharesInPercentAndOtherUnitsUnchanged() {
        // given
        Map<String, String> shown = SampleFixture.table("ui-summary_trn1_2.26.csv").stream()
                .collect(Collectors.toMap(row -> row[1], row -> row[2], (first, second) -> first));

        // then
        assertThat(quantity(shown, "dma_active_time", Unit.SECONDS) / quantity(shown, "total_time", Unit.SECONDS))
                .isCloseTo(quantity(shown, "dma_active_time_percent", Unit.FRACTION), Percentage.withPercentage(0.1));
        assertThat(quantity(shown, "neuroncore_cycle_count", Unit.CYCLES) / quantity(shown, "total_time", Unit.SECONDS))
                .isCloseTo(1.4e9, ROUNDED);
        assertThat(quantity(shown, "dma_transfer_total_bytes", Unit.BYTES)
                        / quantity(shown, "dma_transfer_count", Unit.COUNT))
                .isCloseTo(quantity(shown, "dma_transfer_average_bytes", Unit.BYTES), ROUNDED);
    }

    @Test
    void startUpCountsInTotalButNotActiveTime() {
        // then
        assertThat(SampleFixture.table("startup-idle_trn1_memory-read.csv"))
                .hasSize(4)
                .allSatisfy(row -> assertThat(Double.parseDouble(row[2]) - Double.parseDouble(row[3]))
                        .isCloseTo(2.08, within(0.01)));
    }

    @Test
    void microsecondTimesVaryByPercentsBetweenCaptures() {
        // when
        double[] moves = SampleFixture.table("repeat-captures_trn2_attention-kernel.csv").stream()
                .mapToDouble(row -> Math.abs(Double.parseDouble(row[4]) / Double.parseDouble(row[3]) - 1))
                .toArray();

        // then
        assertThat(Arrays.stream(moves).max().orElseThrow()).isCloseTo(0.032, within(0.001));
    }

    @Test
    void inlineTimeDiffersFromReplayTime() {
        // given
        Map<String, Double> times = SampleFixture.table("explorer_replay-vs-inline_trn2_diffusion.csv").stream()
                .collect(Collectors.toMap(row -> row[0].split(" \\(")[0], row -> Double.valueOf(row[1]), (a, b) -> a));

        // then
        assertThat(times.get("device profile taken inside the pipeline") / times.get("replay capture of the same NEFF"))
                .isCloseTo(1.046, within(0.001));
    }

    @ParameterizedTest
    @CsvSource({
        "device-memory_trn1_2.26.csv, 4",
        "throttle_inf2_graphs.csv, 5",
        "ui-summary_trn1_2.26.csv, 3",
        "explorer_replay-vs-inline_trn2_diffusion.csv, 5"
    })
    void sampleTablesHaveAllColumns(String file, int columns) {
        // then
        assertThat(SampleFixture.table(file))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row).hasSize(columns));
    }

    @Test
    void errorLinesHaveStageAndFatality() {
        // then
        assertThat(SampleFixture.text("error-lines.txt").lines().filter(line -> !line.startsWith("#")))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.split(" \\| ", 3)).hasSize(3));
    }

    private static double workPerTime(ProfileSummary summary, String work, String part) {
        return value(summary, work) / value(summary, "total_time") / value(summary, part);
    }

    private static double quantity(Map<String, String> shown, String metric, Unit unit) {
        return Quantity.parse(shown.get(metric), unit).value();
    }
}
