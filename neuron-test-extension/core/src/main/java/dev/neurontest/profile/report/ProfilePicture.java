package dev.neurontest.profile.report;

import dev.neurontest.metric.Fraction;
import dev.neurontest.page.PageTemplate;
import dev.neurontest.page.Scale;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Doubts;
import dev.neurontest.profile.Latency;
import dev.neurontest.profile.Part;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileText;
import dev.neurontest.profile.ProfileValue;
import dev.neurontest.profile.Statistic;
import dev.neurontest.profile.Throttling;
import dev.neurontest.profile.TracedExecution;
import dev.neurontest.profile.threshold.Roofline;
import dev.neurontest.profile.threshold.ThresholdOutcome;
import dev.neurontest.text.CountText;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A profile as one page that needs nothing else: no script, no network. Light or dark as the reader's system is, and readable on
 * a phone.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProfilePicture {

    private static final PageTemplate PAGE = PageTemplate.of(ProfilePicture.class, "profile");

    private static final Map<String, String> ENGINES = ordered(
            "tensor_engine_active_time_percent", "Tensor",
            "vector_engine_active_time_percent", "Vector",
            "scalar_engine_active_time_percent", "Scalar",
            "gpsimd_engine_active_time_percent", "GpSimd",
            "sync_engine_active_time_percent", "Sync",
            "dma_active_time_percent", "DMA",
            "cc_op_active_time_percent", "Collectives");

    private static final Map<String, String> BYTES = ordered(
            "hbm_read_bytes", "HBM read",
            "hbm_write_bytes", "HBM write",
            "sbuf_read_bytes", "SBUF read",
            "sbuf_write_bytes", "SBUF write",
            "psum_read_bytes", "PSUM read",
            "psum_write_bytes", "PSUM write",
            "spill_save_bytes", "Spill save",
            "spill_reload_bytes", "Spill reload");

    private static final Map<String, String> MAIN = ordered(
            "mfu_estimated_percent", "MFU",
            "hfu_estimated_percent", "HFU",
            "mbu_estimated_percent", "MBU");

    private static final int MOST_ROWS = 64;

    private final Profile profile;
    private final List<ThresholdOutcome> outcomes;

    private ProfilePicture(Profile profile, List<ThresholdOutcome> outcomes) {
        this.profile = profile;
        this.outcomes = outcomes;
    }

    private static Map<String, String> ordered(String... namesAndLabels) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndLabels.length; i += 2) {
            map.put(namesAndLabels[i], namesAndLabels[i + 1]);
        }
        return map;
    }

    /**
     * Draws a profile.
     *
     * @param profile what was measured
     * @param outcomes what became of its thresholds; may be empty
     * @return an HTML page
     */
    public static String html(Profile profile, List<ThresholdOutcome> outcomes) {
        return PAGE.fill(new ProfilePicture(profile, outcomes));
    }

    /** A number that stands out. */
    record Tile(String label, String value) {}

    /** A label, a bar that is filled in part, and a value; there is no bar for what the tool did not write. */
    record Row(String label, String kind, Optional<Double> bar, String value) {}

    /** A threshold with the value and where its limit is on the same bar. */
    record Threshold(String metric, String limit, String kind, String words, double bar, double bound) {}

    /** The executions of a part, a dot for each. */
    record Dots(String label, List<Double> dots, String value) {}

    String title() {
        return "Profile of " + profile.title();
    }

    String name() {
        return profile.title();
    }

    String origin() {
        long ranks = profile.executions().stream()
                .map(TracedExecution::rank)
                .distinct()
                .count();
        return Stream.of(
                        profile.tool(),
                        profile.capture().words(),
                        profile.instanceType().orElse(""),
                        CountText.of(profile.executions().size(), "execution"),
                        ranks > 1 ? ranks + " ranks" : "")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" \u00b7 "));
    }

    List<String> doubts() {
        return profile.allDoubts().stream().map(Doubt::reason).toList();
    }

    String inDoubt() {
        if (!Doubts.of(profile).isEmpty()) {
            return "nothing is decided by this profile";
        }
        return Doubts.throttling(profile).findAny().isPresent() ? "times" : "times of first executions";
    }

    List<Tile> tiles() {
        Map<String, String> tiles = new LinkedHashMap<>();
        latencies().forEach(metric -> tiles.put(metric, metric));
        tiles.putAll(MAIN);
        return tiles.entrySet().stream()
                .filter(tile -> profile.number(tile.getKey()).isPresent())
                .map(tile -> new Tile(tile.getValue(), shown(tile.getKey())))
                .toList();
    }

    private Stream<String> latencies() {
        return Arrays.stream(Latency.values())
                .map(Latency::metric)
                .filter(metric -> profile.number(metric).isPresent());
    }

    private String shown(String metric) {
        return ProfileText.shown(metric, profile.number(metric).orElseThrow());
    }

    List<Threshold> thresholds() {
        return outcomes.stream().map(ProfilePicture::threshold).toList();
    }

    private static Threshold threshold(ThresholdOutcome outcome) {
        boolean violated = outcome.violation().isPresent();
        String kind = outcome.isKept() ? "kept" : violated ? "violated" : "undecided";
        String mark = outcome.isKept() ? "\u2713 " : violated ? "\u2717 " : "? ";
        double limit = outcome.bound().value();
        double value = outcome.value().map(it -> it.value()).orElse(0.0);
        Scale scale = new Scale(0, 1.15 * Math.max(Math.max(limit, value), Double.MIN_NORMAL));
        String words = outcome.value().isEmpty()
                ? kind + (violated ? ": absent" : "")
                : rounded(outcome.shown()) + (outcome.margin().isEmpty() ? "" : ", " + outcome.margin());
        return new Threshold(
                outcome.metric(),
                rounded(outcome.limit()) + (outcome.over().equals("median") ? "" : ", " + outcome.over()),
                kind,
                mark + words,
                scale.at(value),
                scale.at(limit));
    }

    /** Without the exact number of bytes, which the text has. */
    private static String rounded(String quantity) {
        return quantity.replaceFirst(" \\([0-9.]+ B\\)$", "");
    }

    boolean isTraced() {
        return !profile.executions().isEmpty();
    }

    /** Without any where the tool wrote nothing of them. */
    List<Row> engines() {
        return rows(ENGINES, new Scale(0, 1));
    }

    List<Row> bytes() {
        double most = BYTES.keySet().stream()
                .flatMapToDouble(metric -> profile.number(metric).stream())
                .max()
                .orElse(0);
        return rows(BYTES, new Scale(0, most));
    }

    private List<Row> rows(Map<String, String> metrics, Scale scale) {
        return metrics.keySet().stream()
                        .noneMatch(metric -> profile.number(metric).isPresent())
                ? List.of()
                : metrics.entrySet().stream()
                        .map(each -> row(each.getValue(), each.getKey(), scale))
                        .toList();
    }

    private Row row(String label, String metric, Scale scale) {
        OptionalDouble value = profile.number(metric);
        return value.isPresent()
                ? new Row(label, "fill", Optional.of(scale.at(value.getAsDouble())), rounded(shown(metric)))
                : new Row(label, "", Optional.empty(), "not written");
    }

    Optional<Roofline> roofline() {
        return Roofline.of(profile);
    }

    String noRoofline() {
        OptionalDouble intensity = profile.number("mm_arithmetic_intensity");
        if (intensity.isEmpty()) {
            return "The tool wrote no arithmetic intensity.";
        }
        return intensity.getAsDouble() == 0
                ? "No matrix multiplications but transposes: this graph has no place under the roof."
                : "The tool wrote no utilisation or no peak to place this graph under the roof.";
    }

    List<Row> throttling() {
        return profile.executions().stream()
                .flatMap(execution -> Throttling.all(execution.summary()).keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new))
                .stream()
                .map(this::throttling)
                .toList();
    }

    private Row throttling(String metric) {
        double part = profile.number(metric).orElse(0);
        OptionalDouble limit = profile.number(Throttling.limit(metric));
        return new Row(
                metric.replaceAll("throttle_(.*)_active_time_(nc[0-9]+)_percent", "$1 $2")
                        .replace('_', ' '),
                "undecided",
                Optional.of(new Scale(0, 1).at(part)),
                new Fraction(part) + (limit.isPresent() ? ", limit " + new Fraction(limit.getAsDouble()) : ""));
    }

    String latency() {
        return latencies().findFirst().orElse(Latency.TOTAL.metric());
    }

    /** All on one scale; none where there is one execution only. */
    List<Dots> executions() {
        Scale scale = new Scale(0, 1.05 * latencies(profile.executions()).max().orElse(0));
        return profile.executions().size() < 2 || scale.high() == 0
                ? List.of()
                : Part.of(profile.executions()).stream()
                        .limit(MOST_ROWS)
                        .map(part -> dots(part, scale))
                        .toList();
    }

    int moreExecutions() {
        return Math.max(0, Part.of(profile.executions()).size() - MOST_ROWS);
    }

    private DoubleStream latencies(List<TracedExecution> executions) {
        return Arrays.stream(ProfileValue.values(executions, latency()));
    }

    private Dots dots(Part part, Scale scale) {
        double[] values = latencies(part.executions()).toArray();
        return new Dots(
                part.name().isEmpty() ? "this worker" : part.name(),
                Arrays.stream(values).map(scale::at).boxed().toList(),
                values.length == 0
                        ? "not written"
                        : ProfileText.shown(latency(), Statistic.MEDIAN.of(values, true))
                                + (values.length > 1 ? " median" : ""));
    }

    List<String> notices() {
        return profile.notices();
    }

    String folder() {
        return profile.folder().toString();
    }

    List<String> traces() {
        return profile.executions().stream()
                .map(execution -> execution.ntff().toString())
                .distinct()
                .toList();
    }

    String countOfTraces() {
        return CountText.of(traces().size(), "trace");
    }
}
