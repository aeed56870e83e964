package dev.neurontest.profile;

import static dev.neurontest.recording.Markup.bar;
import static dev.neurontest.recording.Markup.escape;
import static dev.neurontest.recording.Markup.line;
import static dev.neurontest.recording.Markup.paragraph;
import static dev.neurontest.recording.Markup.position;
import static dev.neurontest.recording.Markup.row;
import static dev.neurontest.recording.Markup.section;
import static dev.neurontest.recording.Markup.svg;

import dev.neurontest.metric.Fraction;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A profile as one page that needs nothing else: no script, no network. Light or dark as the reader's system is, and readable on
 * a phone.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProfilePicture {

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

    private static final String STYLE = """
            :root { color-scheme: light dark; --back: #fff; --card: #f6f8fa; --text: #1f2328; --mute: #59636e; --track: #e4e8ec;
              --line: #d1d9e0; --fill: #0969da; --good: #1a7f37; --bad: #cf222e; --warn: #9a6700; --warnback: #fff8c5; }
            @media (prefers-color-scheme: dark) { :root { --back: #0d1117; --card: #151b23; --text: #f0f6fc; --mute: #9198a1;
              --track: #2a313c; --line: #3d444d; --fill: #4493f8; --good: #3fb950; --bad: #f85149; --warn: #d29922; --warnback: #2b230d; } }
            * { box-sizing: border-box; }
            body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: var(--back); color: var(--text);
              font: 15px/1.45 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
            h1 { font-size: 1.35rem; margin: 0; overflow-wrap: anywhere; }
            h2 { font-size: 1rem; margin: 0 0 .6rem; }
            p { margin: .3rem 0; overflow-wrap: anywhere; }
            .mute, .label { color: var(--mute); }
            section, .doubt { margin: 1rem 0 0; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
            .doubt { border-color: var(--warn); background: var(--warnback); }
            .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .6rem; margin: 1rem 0 0; }
            .tile { background: var(--card); border-radius: 8px; padding: .6rem .8rem; }
            .tile b { display: block; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
            .tile span { color: var(--mute); font-size: .85rem; overflow-wrap: anywhere; }
            .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 25rem), 1fr)); gap: 0 1rem; }
            .row { display: grid; grid-template-columns: 6.5rem 1fr 7rem; gap: 0 .7rem; align-items: center; padding: .16rem 0; }
            .wide .row { grid-template-columns: 15rem 1fr 16rem; } .long .row { grid-template-columns: 6.5rem 1fr 11rem; }
            .label { overflow-wrap: anywhere; }
            .value { text-align: right; font-variant-numeric: tabular-nums; }
            .bar { display: block; width: 100%; height: .8rem; border-radius: 3px; }
            .track { fill: var(--track); } .fill { fill: var(--fill); } .kept { fill: var(--good); } .violated { fill: var(--bad); }
            .undecided { fill: var(--warn); } .dot { fill: var(--fill); fill-opacity: .75; }
            .tick { stroke: var(--text); stroke-width: 2; }
            .is-kept { color: var(--good); } .is-violated { color: var(--bad); } .is-undecided { color: var(--warn); }
            .chart { display: block; width: 100%; max-width: 29rem; margin: .4rem auto; }
            .grid { stroke: var(--track); } .axis { fill: var(--mute); font-size: 11px; }
            .roof { fill: none; stroke: var(--text); stroke-width: 1.5; } .gap { stroke: var(--mute); stroke-dasharray: 3 3; }
            .here { fill: var(--fill); } .here-text { fill: var(--text); font-size: 12px; font-weight: 600; }
            ul { margin: .2rem 0; padding-left: 1.2rem; } li { overflow-wrap: anywhere; }
            summary { cursor: pointer; }
            @media (max-width: 40rem) { .row { grid-template-columns: 5.5rem 1fr 5.5rem; }
              .wide .row { grid-template-columns: 1fr; padding: .45rem 0; } .wide .value { text-align: left; }
              .long .row { grid-template-columns: 5.5rem 1fr 6rem; }
              .dots .row { grid-template-columns: 1fr auto; } .dots .bar { grid-column: 1 / -1; grid-row: 2; } }
            """;

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
        return new ProfilePicture(profile, outcomes).page();
    }

    private String page() {
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%s</title>
                <style>
                %s</style>
                </head>
                <body>
                """.formatted(escape("Profile of " + profile.title()), STYLE)
                + head()
                + doubts()
                + tiles()
                + thresholds()
                + (profile.executions().isEmpty() ? "" : columns())
                + section("Executions", executions())
                + section("Noticed", list(profile.notices()))
                + section("Where it is", places())
                + "</body>\n</html>\n";
    }

    private String columns() {
        return "<div class=\"columns\">\n"
                + section("Engines: share of the time in which each works", engines())
                + section("Roofline", roofline())
                + section("Bytes", bytes())
                + section("Slowed down", throttling())
                + "</div>\n";
    }

    private String head() {
        int executions = profile.executions().size();
        long ranks = profile.executions().stream()
                .map(TracedExecution::rank)
                .distinct()
                .count();
        String what = Stream.of(
                        profile.tool(),
                        profile.capture().words(),
                        profile.instanceType().orElse(""),
                        executions == 1 ? "1 execution" : executions + " executions",
                        ranks > 1 ? ranks + " ranks" : "")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" \u00b7 "));
        return "<h1>%s</h1>\n%s".formatted(escape(profile.title()), paragraph("mute", what));
    }

    private String doubts() {
        List<String> reasons = profile.allDoubts().stream().map(Doubt::reason).toList();
        if (reasons.isEmpty()) {
            return "";
        }
        return "<div class=\"doubt\" role=\"alert\">\n<h2>%s</h2>\n%s</div>\n"
                .formatted(
                        Doubts.of(profile).isEmpty()
                                ? Doubts.throttling(profile).findAny().isPresent()
                                        ? "In doubt: times"
                                        : "In doubt: times of first executions"
                                : "In doubt: nothing is decided by this profile",
                        list(reasons));
    }

    private String tiles() {
        StringBuilder tiles = new StringBuilder();
        Arrays.stream(Latency.values())
                .map(Latency::metric)
                .filter(metric -> profile.number(metric).isPresent())
                .forEach(metric -> tiles.append(tile(metric, shown(metric))));
        MAIN.forEach((metric, label) -> {
            if (profile.number(metric).isPresent()) {
                tiles.append(tile(label, shown(metric)));
            }
        });
        return tiles.isEmpty() ? "" : "<div class=\"tiles\">\n" + tiles + "</div>\n";
    }

    private static String tile(String label, String value) {
        return "<div class=\"tile\"><b>%s</b><span>%s</span></div>\n".formatted(escape(value), escape(label));
    }

    private String shown(String metric) {
        return ProfileText.shown(metric, profile.number(metric).orElseThrow());
    }

    private String thresholds() {
        String rows = outcomes.stream().map(ProfilePicture::threshold).collect(Collectors.joining());
        return rows.isEmpty() ? "" : section("Thresholds", "<div class=\"wide\">\n" + rows + "</div>\n");
    }

    private static String threshold(ThresholdOutcome outcome) {
        String kind = outcome.isKept() ? "kept" : outcome.violation().isPresent() ? "violated" : "undecided";
        String mark = outcome.isKept() ? "\u2713 " : outcome.violation().isPresent() ? "\u2717 " : "? ";
        double limit = outcome.bound().value();
        double value = outcome.value().map(it -> it.value()).orElse(0.0);
        double end = 1.15 * Math.max(Math.max(limit, value), Double.MIN_NORMAL);
        String shapes = "<rect class=\"%s\" width=\"%s\" height=\"100%%\"/>%s"
                .formatted(kind, position(value / end), line(limit / end));
        String words = outcome.value().isEmpty()
                ? kind + (outcome.violation().isPresent() ? ": absent" : "")
                : rounded(outcome.shown()) + (outcome.margin().isEmpty() ? "" : ", " + outcome.margin());
        return "<div class=\"row\"><span class=\"label\">%s<br/>%s</span>%s<span class=\"value is-%s\">%s</span></div>\n"
                .formatted(
                        escape(outcome.metric()),
                        escape(rounded(outcome.limit())
                                + (outcome.over().equals("median") ? "" : ", " + outcome.over())),
                        svg(shapes),
                        kind,
                        escape(mark + words));
    }

    /** Without the exact number of bytes, which the text has. */
    private static String rounded(String quantity) {
        return quantity.replaceFirst(" \\([0-9.]+ B\\)$", "");
    }

    private boolean wroteAny(Map<String, String> metrics) {
        return metrics.keySet().stream()
                .anyMatch(metric -> profile.number(metric).isPresent());
    }

    private String engines() {
        if (!wroteAny(ENGINES)) {
            return paragraph("mute", "The tool wrote nothing of them.");
        }
        StringBuilder rows = new StringBuilder();
        ENGINES.forEach((metric, label) -> rows.append(fraction(label, profile.number(metric))));
        return rows.toString();
    }

    private static String fraction(String label, OptionalDouble part) {
        return part.isPresent()
                ? row(label, bar(part.getAsDouble(), "fill"), new Fraction(part.getAsDouble()).toString())
                : row(label, "<span></span>", "not written");
    }

    private String roofline() {
        return Roofline.of(profile)
                .map(roofline -> roofline.svg() + paragraph("mute", roofline.text()))
                .orElseGet(() -> paragraph("mute", noRoofline()));
    }

    private String noRoofline() {
        OptionalDouble intensity = profile.number("mm_arithmetic_intensity");
        if (intensity.isEmpty()) {
            return "The tool wrote no arithmetic intensity.";
        }
        return intensity.getAsDouble() == 0
                ? "No matrix multiplications but transposes: this graph has no place under the roof."
                : "The tool wrote no utilisation or no peak to place this graph under the roof.";
    }

    private String bytes() {
        if (!wroteAny(BYTES)) {
            return paragraph("mute", "The tool wrote nothing of them.");
        }
        double most = BYTES.keySet().stream()
                .mapToDouble(metric -> profile.number(metric).orElse(0))
                .max()
                .orElse(0);
        StringBuilder rows = new StringBuilder();
        BYTES.forEach((metric, label) -> {
            OptionalDouble bytes = profile.number(metric);
            rows.append(
                    bytes.isPresent()
                            ? row(
                                    label,
                                    bar(most == 0 ? 0 : bytes.getAsDouble() / most, "fill"),
                                    rounded(shown(metric)))
                            : row(label, "<span></span>", "not written"));
        });
        return rows.toString();
    }

    private String throttling() {
        TreeSet<String> metrics = profile.executions().stream()
                .flatMap(execution -> Throttling.all(execution.summary()).keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        StringBuilder rows = new StringBuilder();
        for (String metric : metrics) {
            double part = profile.number(metric).orElse(0);
            OptionalDouble limit = profile.number(Throttling.limit(metric));
            rows.append(row(
                    metric.replaceAll("throttle_(.*)_active_time_(nc[0-9]+)_percent", "$1 $2")
                            .replace('_', ' '),
                    bar(part, "undecided"),
                    new Fraction(part) + (limit.isPresent() ? ", limit " + new Fraction(limit.getAsDouble()) : "")));
        }
        return rows.isEmpty()
                ? paragraph("mute", "The tool wrote nothing of it, as it does when the device was not throttled.")
                : "<div class=\"long\">\n" + rows + "</div>\n";
    }

    /** A dot for each execution, all on one scale. */
    private String executions() {
        List<Part> parts = Part.of(profile.executions());
        String metric = Arrays.stream(Latency.values())
                .map(Latency::metric)
                .filter(name -> profile.number(name).isPresent())
                .findFirst()
                .orElse(Latency.TOTAL.metric());
        double end = 1.05
                * Arrays.stream(Condensed.values(profile.executions(), metric))
                        .max()
                        .orElse(0);
        if (profile.executions().size() < 2 || end == 0) {
            return "";
        }
        StringBuilder rows = new StringBuilder(paragraph("mute", metric + ", from 0; one dot for each execution"));
        parts.stream().limit(MOST_ROWS).forEach(part -> rows.append(dots(part, metric, end)));
        if (parts.size() > MOST_ROWS) {
            rows.append(paragraph("mute", "and %d more".formatted(parts.size() - MOST_ROWS)));
        }
        return "<div class=\"wide dots\">\n" + rows + "</div>\n";
    }

    private static String dots(Part part, String metric, double end) {
        double[] values = Condensed.values(part.executions(), metric);
        String dots = Arrays.stream(values)
                .mapToObj(value ->
                        "<circle class=\"dot\" cx=\"%s\" cy=\"50%%\" r=\"5\"/>".formatted(position(value / end)))
                .collect(Collectors.joining());
        String label = part.name().isEmpty() ? "this worker" : part.name();
        return values.length == 0
                ? row(label, "<span></span>", "not written")
                : row(
                        label,
                        svg(dots),
                        ProfileText.shown(metric, Statistic.MEDIAN.of(values, true))
                                + (values.length > 1 ? " median" : ""));
    }

    private String places() {
        List<String> traces = profile.executions().stream()
                .map(execution -> execution.ntff().toString())
                .distinct()
                .toList();
        String folder = paragraph("mute", profile.folder().toString());
        return traces.isEmpty()
                ? folder
                : folder
                        + "<details><summary>%s</summary>\n%s</details>\n"
                                .formatted(traces.size() == 1 ? "1 trace" : traces.size() + " traces", list(traces));
    }

    private static String list(List<String> lines) {
        return lines.isEmpty()
                ? ""
                : lines.stream()
                        .map(each -> "<li>" + escape(each) + "</li>\n")
                        .collect(Collectors.joining("", "<ul>\n", "</ul>\n"));
    }
}
