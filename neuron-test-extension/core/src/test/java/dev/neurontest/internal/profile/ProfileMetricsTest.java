package dev.neurontest.internal.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.neurontest.internal.profile.summary.SummaryReader;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.MetricNames;
import dev.neurontest.profile.ProfileSummary;
import dev.neurontest.profile.SampleFixture;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ProfileMetricsTest {

    private static Stream<String[]> tableOfTheUi() {
        return SampleFixture.table("ui-summary_trn1_2.26.csv").stream();
    }

    @Test
    void containsSchemaMetricsAndOthers() {
        // then
        assertThat(ProfileMetrics.all())
                .extracting(ProfileMetric::name)
                .doesNotHaveDuplicates()
                .startsWith("total_time", "neuroncore_cycle_count")
                .contains("instance_type", "throttle_avg_util_limit_nc0_percent");
        assertThat(ProfileMetrics.all().stream().filter(ProfileMetric::inSchema))
                .hasSize(101);
    }

    @ParameterizedTest
    @CsvSource({
        "total_time, SECONDS, LOWER, NOISY, 2.25, true",
        "total_exec_time, SECONDS, LOWER, NOISY, explorer, true",
        "total_row_count, COUNT, LOWER, NEARLY_FIXED, explorer, true",
        "neuroncore_cycle_count, CYCLES, LOWER, NOISY, 2.25, true",
        "hardware_flops, FLOPS, LOWER, FIXED, 2.25, true",
        "model_flops, FLOPS, NEITHER, FIXED, 2.25, true",
        "mm_arithmetic_intensity, FLOPS_PER_BYTE, HIGHER, NEARLY_FIXED, 2.25, true",
        "peak_flops_bandwidth_ratio, FLOPS_PER_BYTE, NEITHER, FIXED, 2.25, true",
        "dma_transfer_average_bytes, BYTES, HIGHER, FIXED, 2.25, true",
        "hbm_read_bytes, BYTES, LOWER, FIXED, 2.25, true",
        "activate_instruction_count, COUNT, LOWER, FIXED, 2.26, true",
        "mfu_inst_estimated_percent, FRACTION, HIGHER, NOISY, 2.28, true",
        "mfu_max_achievable_estimated_percent, FRACTION, NEITHER, FIXED, 2.25, true",
        "mbu_min_read_util_percent, FRACTION, NEITHER, NOISY, 2.26, true",
        "tensor_engine_active_time_percent, FRACTION, DEPENDS, NOISY, 2.25, true",
        "nc_idx, INDEX, NEITHER, FIXED, 2.25, false",
        "profiler_version, TEXT, NEITHER, FIXED, 2.25, false",
        "throttle_active_nc0_time_ns, NANOSECONDS, LOWER, NOISY, 2.25, false"
    })
    void describesUnitDirectionAndNoiseOfMetric(
            String name, Unit unit, Direction better, Noise noise, String since, boolean inSchema) {
        // then
        assertThat(ProfileMetrics.find(name))
                .contains(new ProfileMetric(new Metric(name, unit, better, noise), since, inSchema));
    }

    @ParameterizedTest
    @CsvSource({
        "throttle_active_nc12_time_ns",
        "throttle_activity_0_active_time_nc4_percent",
        "throttle_avg_util_limit_nc31_percent"
    })
    void findsThrottlingMetricOfAnyCore(String name) {
        // then
        assertThat(ProfileMetrics.find(name))
                .hasValueSatisfying(found -> assertThat(found.name()).isEqualTo(name));
    }

    @ParameterizedTest
    @CsvSource({"latency", "throttle_nonsense_nc0_percent", "throttle_avg_util_limit_nc_percent", "total_time_nc0", "''"
    })
    void doesNotFindUnknownMetric(String name) {
        // then
        assertThat(ProfileMetrics.find(name)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "totaltime, total_time",
        "Total_Time, total_time",
        "total_exec_time, total_time|total_active_time",
        "mfu_percent, mfu_estimated_percent",
        "spill_bytes, spill_reload_bytes|spill_save_bytes",
        "hbm_reads_bytes, hbm_read_bytes",
        "latency, total_time|total_active_time",
        "xyz, ''"
    })
    void suggestsNearestMetrics(String written, String expected) {
        // when
        List<String> nearest = ProfileMetrics.nearest(
                written,
                SampleFixture.summary("summary-json_derived_trn2_2.25_transpose_1024.json")
                        .values()
                        .keySet());

        // then
        assertThat(nearest).hasSizeLessThanOrEqualTo(3);
        if (expected.isEmpty()) {
            assertThat(nearest).isEmpty();
        } else {
            assertThat(nearest).startsWith(expected.split("\\|")[0]).contains(expected.split("\\|"));
        }
    }

    @Test
    void suggestsNoAccidentallySimilarMetric() {
        // when
        List<String> nearest =
                ProfileMetrics.nearest("total_exec_time", List.of("throttle_active_nc4_time_ns", "total_time"));

        // then
        assertThat(nearest).containsExactly("total_time");
    }

    @Test
    void containsEveryMetricOfEverySample() {
        // given
        Set<String> seen = new TreeSet<>();
        SampleFixture.allSummaries()
                .forEach(summary -> seen.addAll(summary.values().keySet()));
        tableOfTheUi().forEach(row -> seen.add(row[1]));

        // then
        assertThat(seen)
                .hasSizeGreaterThan(100)
                .allSatisfy(
                        name -> assertThat(ProfileMetrics.find(name)).as(name).isPresent());
    }

    @Test
    void sampleValuesMatchTypesInCatalogue() {
        // then
        assertThat(SampleFixture.allSummaries())
                .allSatisfy(summary -> summary.values()
                        .forEach((name, value) -> assertThat(value)
                                .as(name)
                                .isInstanceOf(
                                        ProfileMetrics.find(name)
                                                                .orElseThrow()
                                                                .metric()
                                                                .unit()
                                                        == Unit.TEXT
                                                ? String.class
                                                : Double.class)));
    }

    @ParameterizedTest
    @MethodSource("tableOfTheUi")
    void unitsOfTheUiCanBeWrittenAsLimits(String group, String name, String value) {
        // given
        Unit unit = ProfileMetrics.find(name).orElseThrow().metric().unit();

        // then
        if (unit == Unit.TEXT) {
            assertThatThrownBy(() -> Quantity.parse(value, unit)).isInstanceOf(IllegalArgumentException.class);
        } else {
            assertThat(Quantity.parse(value, unit).unit()).isEqualTo(unit);
        }
    }

    @Test
    void everyMetricHasAConstantWithItsName() {
        // when
        List<String> constants = Arrays.stream(MetricNames.class.getFields())
                .map(ProfileMetricsTest::valueOf)
                .toList();

        // then
        assertThat(constants)
                .containsExactlyInAnyOrderElementsOf(
                        ProfileMetrics.all().stream().map(ProfileMetric::name).toList());
        assertThat(MetricNames.TOTAL_TIME).isEqualTo("total_time");
    }

    @Test
    void unknownMetricsStayReachableByTheirName() {
        // given
        ProfileSummary summary = SummaryReader.read("{\"n_a\": {\"new_count\": 7, \"new_name\": \"a\"}}")
                .summaries()
                .get(0);

        // then
        assertThat(summary.values()).contains(entry("new_count", 7.0));
        assertThat(summary.number("new_count")).hasValue(7);
        assertThat(summary.text("new_name")).contains("a");
        assertThat(summary.number("new_name")).isEmpty();
        assertThat(summary.text("new_count")).isEmpty();
    }

    private static String valueOf(Field constant) {
        try {
            return (String) constant.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
