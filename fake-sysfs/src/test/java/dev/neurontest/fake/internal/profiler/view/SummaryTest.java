package dev.neurontest.fake.internal.profiler.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.neurontest.fake.internal.profiler.SampleFixture;
import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Work;
import dev.neurontest.fake.internal.profiler.ntff.Ntff;
import dev.neurontest.fake.internal.profiler.ntff.TraceProperties;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A comparison of the metrics with genuine summaries and with their identities. */
class SummaryTest {

    private static final ToolRelease EXPLORER = new ToolRelease(ToolRelease.EXPLORER, "2.32.0.0");

    private static Ntff ntff(String instance, String work, long base, long picoseconds, long startUp, int cores) {
        List<Ntff.Graph> graphs = new ArrayList<>();
        for (int i = 0; i < cores; i++) {
            graphs.add(new Ntff.Graph("sg0" + i, 4 + i, i == 0 ? picoseconds : 1));
        }
        TraceProperties properties = new TraceProperties()
                .with("instance", instance)
                .with("work", work)
                .with("base", base)
                .with("start-up", startUp)
                .with("runtime", "2.27.23")
                .with("driver", "2.23.0")
                .with("collectives", "2.27.34");
        return new Ntff(5, "file.neff", new byte[16], graphs, instance, properties, 0);
    }

    private static Summary summary(Ntff ntff, ToolRelease release) {
        return Summary.of(ntff, release, Call.withoutHost());
    }

    @ParameterizedTest
    @CsvSource({
        "vector, 26416626, summary-json_derived_trn2_2.25_vecadd_fd1k.json",
        "transpose, 46470761, summary-json_derived_trn2_2.25_transpose_1024.json"
    })
    void matchesTheGenuineSummary(String work, long picoseconds, String sample) throws Exception {
        ToolRelease old = new ToolRelease(ToolRelease.PROFILE, "2.25.145.0%kaena-tools/2.25@866f606");

        Summary summary = summary(ntff("trn2.3xlarge", work, picoseconds, picoseconds, 0, 2), old);

        JsonNode genuine = new ObjectMapper()
                .readTree(SampleFixture.text(sample))
                .iterator()
                .next();
        List<String> names = genuine.propertyStream()
                .map(java.util.Map.Entry::getKey)
                .filter(name -> !name.startsWith("throttle_"))
                .toList();
        assertThat(summary.names()).containsExactlyInAnyOrderElementsOf(names);
        for (String name : names) {
            JsonNode value = genuine.get(name);
            if (value.isNumber()) {
                assertThat(summary.number(name))
                        .as(name)
                        .isCloseTo(value.doubleValue(), Percentage.withPercentage(1e-5));
            } else {
                assertThat(summary.text(name)).as(name).isEqualTo(value.asString());
            }
        }
    }

    static Stream<Ntff> traces() {
        List<Ntff> traces = new ArrayList<>();
        for (String instance : List.of("trn1.2xlarge", "inf2.xlarge", "trn2.3xlarge")) {
            for (String work : Work.NAMES) {
                int cores = instance.startsWith("trn2") ? 2 : 1;
                traces.add(ntff(instance, work, 17_000_000_000L, 17_000_000_000L, 0, cores));
                traces.add(ntff(instance, work, 20_000_000L, 2_103_000_000L, 2_080_000_000L, cores));
            }
        }
        return traces.stream();
    }

    @ParameterizedTest
    @MethodSource("traces")
    void obeysTheIdentities(Ntff ntff) {
        Summary summary = summary(ntff, EXPLORER);

        boolean isTrn2 = ntff.instanceType().startsWith("trn2");
        double total = summary.number("total_time");
        assertThat(total).isEqualTo(ntff.picoseconds() / 1e12);
        assertThat(summary.number("neuroncore_cycle_count") / total)
                .isCloseTo(isTrn2 ? 1.2e9 : 1.4e9, Percentage.withPercentage(0.01));
        for (String name : summary.names()) {
            if (name.endsWith("active_time")) {
                assertThat(summary.number(name + "_percent"))
                        .as(name)
                        .isCloseTo(summary.number(name) / total, within(1e-12));
            }
            if (name.endsWith("_percent") && !name.contains("max_achievable")) {
                assertThat(summary.number(name)).as(name).isBetween(0.0, 1.0);
            }
        }
        double moved = summary.number("hbm_read_bytes") + summary.number("hbm_write_bytes");
        assertThat(moved / (total * summary.number("mbu_estimated_percent")))
                .isCloseTo(isTrn2 ? 716e9 : 410e9, Percentage.withPercentage(0.001));
        assertThat(summary.number("peak_flops_bandwidth_ratio"))
                .isCloseTo(isTrn2 ? 109.84 : 223.78, Percentage.withPercentage(0.01));
        double hardware = summary.number("hardware_flops");
        if (hardware > 0) {
            assertThat(hardware / (total * summary.number("hfu_estimated_percent")))
                    .isCloseTo(isTrn2 ? 157.29e12 : 91.75e12, Percentage.withPercentage(0.01));
        }
        assertThat(summary.number("mm_arithmetic_intensity"))
                .isCloseTo((hardware - summary.number("transpose_flops")) / moved, within(1e-9));
        assertThat(summary.number("dma_transfer_average_bytes"))
                .isCloseTo(
                        summary.number("dma_transfer_total_bytes") / summary.number("dma_transfer_count"),
                        within(0.006));
    }

    @Test
    void workFollowsModelSizeAndTimeTheTrace() {
        Summary usual = summary(ntff("trn1.2xlarge", "model", 10_000_000_000L, 10_000_000_000L, 0, 1), EXPLORER);
        Summary slower = summary(ntff("trn1.2xlarge", "model", 10_000_000_000L, 20_000_000_000L, 0, 1), EXPLORER);
        Summary larger = summary(ntff("trn1.2xlarge", "model", 20_000_000_000L, 20_000_000_000L, 0, 1), EXPLORER);

        assertThat(slower.number("hbm_read_bytes")).isEqualTo(usual.number("hbm_read_bytes"));
        assertThat(larger.number("hbm_read_bytes"))
                .isCloseTo(2 * usual.number("hbm_read_bytes"), Percentage.withPercentage(0.001));
        assertThat(slower.number("total_time")).isEqualTo(larger.number("total_time"));
    }

    @Test
    void startUpIncreasesOnlyTheTotalTime() {
        Summary usual = summary(ntff("trn1.2xlarge", "model", 4_000_000_000L, 4_000_000_000L, 0, 1), EXPLORER);
        Summary first =
                summary(ntff("trn1.2xlarge", "model", 4_000_000_000L, 6_080_000_000L, 2_080_000_000L, 1), EXPLORER);

        assertThat(first.number("total_time")).isEqualTo(0.00608);
        assertThat(first.number("total_active_time")).isEqualTo(usual.number("total_active_time"));
    }

    @Test
    void hasOnlyMetricsOfTheCatalogue() throws Exception {
        List<String> catalogue = SampleFixture.text("summary-fields.csv")
                .lines()
                .map(line -> line.substring(0, line.indexOf(',')))
                .toList();
        Ntff throttled = ntff("trn1.2xlarge", "model", 1_000_000_000L, 1_000_000_000L, 0, 1);
        throttled.properties().with("throttle", 0.4);

        for (ToolRelease release : List.of(EXPLORER, new ToolRelease(ToolRelease.PROFILE, "2.28.23.0"))) {
            assertThat(catalogue).containsAll(summary(throttled, release).names());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2.25.145.0, mfu_inst_estimated_percent, false",
        "2.28.23.0, mfu_inst_estimated_percent, true",
        "2.25.145.0, mbu_min_read_util_percent, false",
        "2.26.14.0, mbu_min_read_util_percent, true",
        "2.29.18.0, total_exec_time, false",
        "2.29.18.0, adjusted_hardware_flops, false",
        "2.29.18.0, profiler_version, true"
    })
    void hasTheMetricsOfTheToolVersion(String version, String metric, boolean there) {
        Ntff ntff = ntff("trn1.2xlarge", "model", 1_000_000_000L, 1_000_000_000L, 0, 1);

        List<String> names =
                summary(ntff, new ToolRelease(ToolRelease.PROFILE, version)).names();

        assertThat(names.contains(metric)).isEqualTo(there);
    }

    @Test
    void explorerHasExtraMetricsAndNoIdentity() {
        Ntff ntff = ntff("trn1.2xlarge", "model", 1_000_000_000L, 1_000_000_000L, 0, 1);

        assertThat(summary(ntff, EXPLORER).names())
                .contains("total_exec_time", "adjusted_hardware_flops", "total_row_count")
                .doesNotContain("instance_type", "nc_idx", "profiler_version");
    }

    @Test
    void ncIdxIsTheSumOfPhysicalCores() {
        Ntff ntff = ntff("trn2.3xlarge", "vector", 26416626, 26416626, 0, 2);

        assertThat(summary(ntff, new ToolRelease(ToolRelease.PROFILE, "2.25.145.0"))
                        .text("nc_idx"))
                .isEqualTo("9");
    }
}
