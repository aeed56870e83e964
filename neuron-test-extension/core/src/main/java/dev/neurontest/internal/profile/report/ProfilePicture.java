package dev.neurontest.internal.profile.report;

import dev.neurontest.internal.judgement.MeasuredTest;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.page.PageTemplate;
import dev.neurontest.internal.page.Scale;
import dev.neurontest.internal.profile.ComparableExecutions;
import dev.neurontest.internal.profile.Distribution;
import dev.neurontest.internal.profile.Doubts;
import dev.neurontest.internal.profile.ProfileText;
import dev.neurontest.internal.profile.ProfileValue;
import dev.neurontest.internal.profile.Throttling;
import dev.neurontest.internal.profile.threshold.Roofline;
import dev.neurontest.internal.profile.threshold.ThresholdOutcome;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.text.PathText;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Latency;
import dev.neurontest.profile.MetricNames;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.Statistic;
import dev.neurontest.profile.TracedExecution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A profile as one self-contained HTML page, without scripts and without network access. It begins with the test, the verdict, and the
 * deciding expectation. It follows the light or dark mode of the reader's system, and is readable on a phone.
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

    private static final int MOST_CORES = 8;
    private static final int MOST_TABLES = 3;

    private final MeasuredTest test;
    private final Profile profile;
    private final List<ThresholdOutcome> outcomes;
    private final List<ParquetDigest> tables;

    private ProfilePicture(
            MeasuredTest test, Profile profile, List<ThresholdOutcome> outcomes, List<ParquetDigest> tables) {
        this.test = test;
        this.profile = profile;
        this.tables = tables;
        this.outcomes = outcomes.stream()
                .sorted(Comparator.comparing(outcome -> outcome.violation().isPresent() ? 0 : outcome.isKept() ? 2 : 1))
                .toList();
    }

    private static Map<String, String> ordered(String... namesAndLabels) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndLabels.length; i += 2) {
            map.put(namesAndLabels[i], namesAndLabels[i + 1]);
        }
        return map;
    }

    /**
     * Creates the page of a profile.
     *
     * @param test the test of the profile
     * @param outcomes results of the thresholds; may be empty
     * @param tables digests of the tables of its executions; may be empty
     * @return an HTML page
     */
    public static String html(
            MeasuredTest test, Profile profile, List<ThresholdOutcome> outcomes, List<ParquetDigest> tables) {
        return PAGE.fill(new ProfilePicture(test, profile, outcomes, tables));
    }

    /** A prominent number. */
    record Tile(String label, String value) {}

    /** A label, a partly filled bar, and a value. A metric that the tool did not write has no bar. */
    record Row(String label, String kind, Optional<Double> bar, String value) {}

    /** A threshold, with its value and its limit on the same bar. */
    record Threshold(String metric, String limit, String kind, String words, double bar, double bound) {}

    /** A deciding expectation, with its value, the reason, and advice. */
    record Decisive(
            String kind,
            String subject,
            String rule,
            List<Tile> quantity,
            Optional<Distribution> executions,
            List<String> words) {

        /** Returns the tables in the words; each follows its sentence. */
        List<String> table() {
            return words.stream()
                    .filter(text -> text.contains("\n"))
                    .map(text -> text.substring(text.indexOf('\n') + 1))
                    .map(String::stripIndent)
                    .toList();
        }

        List<String> sentences() {
            return words.stream().map(text -> text.split("\n", 2)[0]).toList();
        }

        static Decisive of(String kind, String subject, String rule, String... words) {
            return new Decisive(kind, subject, rule, List.of(), Optional.empty(), List.of(words));
        }
    }

    String title() {
        return "Profile of " + profile.title() + " in " + test.name();
    }

    MeasuredTest test() {
        return test;
    }

    /** Returns the first threshold (violated, else undecided, else kept), and all other expectations that were not met. */
    List<Decisive> decisive() {
        Stream<Decisive> threshold = outcomes.stream().limit(1).map(this::decisive);
        boolean isKept = outcomes.stream().limit(1).anyMatch(ThresholdOutcome::isKept);
        return (isKept ? Stream.concat(otherDecisive(), threshold) : Stream.concat(threshold, otherDecisive()))
                .toList();
    }

    private Decisive decisive(ThresholdOutcome outcome) {
        return new Decisive(
                outcome.word(),
                outcome.metric(),
                outcome.rule(),
                Stream.of(
                                new Tile(profile.executions().size() > 1 ? outcome.over() : "value", value(outcome)),
                                new Tile("limit", rounded(outcome.limit())),
                                new Tile("margin", outcome.margin()))
                        .filter(tile -> !tile.value().isEmpty())
                        .toList(),
                drawing(
                        outcome.metric(),
                        outcome.bound().unit(),
                        List.of(new Distribution.Limit(outcome.bound().value(), rounded(outcome.limit())))),
                Stream.of(
                                outcome.violation()
                                        .filter(it -> outcome.value().isEmpty())
                                        .map(Violation::actual)
                                        .filter(actual -> !actual.equals(value(outcome))),
                                outcome.violation().map(Violation::advice),
                                outcome.undecided().map(Undecided::reason).filter(this::isNoDoubt))
                        .flatMap(Optional::stream)
                        .toList());
    }

    private static String value(ThresholdOutcome outcome) {
        return outcome.value().isPresent()
                ? rounded(outcome.shown())
                : outcome.violation().isPresent() ? "absent" : "not judged";
    }

    /** Returns the unmet expectations that are not thresholds. */
    private Stream<Decisive> otherDecisive() {
        return Stream.concat(
                test.judgement().violations().stream()
                        .filter(each -> outcomes.stream()
                                .noneMatch(outcome ->
                                        outcome.violation().filter(each::equals).isPresent()))
                        .map(each -> Decisive.of(
                                "violated",
                                each.subject(),
                                each.rule(),
                                "Expected %s, was %s.".formatted(each.expected(), each.actual()),
                                each.advice())),
                test.judgement().undecided().stream()
                        .filter(each -> outcomes.stream()
                                .noneMatch(outcome ->
                                        outcome.undecided().filter(each::equals).isPresent()))
                        .filter(each -> isNoDoubt(each.reason()))
                        .map(each -> Decisive.of("undecided", each.subject(), each.rule(), each.reason())));
    }

    /** Checks whether a reason is not a doubt; doubts have their own section. */
    private boolean isNoDoubt(String reason) {
        return profile.allDoubts().stream().noneMatch(doubt -> reason.contains(doubt.reason()));
    }

    /** Checks whether doubts come before the expectations. A violated threshold comes before any doubt. */
    boolean isDoubtFirst() {
        return test.judgement().violations().isEmpty();
    }

    String cores() {
        return ListText.some(test.cores(), MOST_CORES);
    }

    String origin() {
        long ranks = profile.executions().stream()
                .map(TracedExecution::rank)
                .distinct()
                .count();
        return Stream.of(
                        profile.title(),
                        profile.tool(),
                        profile.capture().words(),
                        profile.text(MetricNames.INSTANCE_TYPE).orElse(""),
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
            return "all expectations on this profile";
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
        String kind = outcome.word();
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

    /** Returns a quantity without the exact number of bytes, which the text report contains. */
    static String rounded(String quantity) {
        return quantity.replaceFirst(" \\([0-9.]+ B\\)(?=$|,)", "");
    }

    boolean isTraced() {
        return !profile.executions().isEmpty();
    }

    /** Returns the rows of the engines; empty when the tool wrote none of these metrics. */
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
                metric.replaceAll("throttle_(.*)_active_time(?:_(nc[0-9]+))?_percent", "$1 $2")
                        .replace('_', ' '),
                "undecided",
                Optional.of(new Scale(0, 1).at(part)),
                new Fraction(part) + (limit.isPresent() ? ", limit " + new Fraction(limit.getAsDouble()) : ""));
    }

    /** Returns the digests of the first executions. */
    List<TableText> tableTexts() {
        return tables.stream().limit(MOST_TABLES).map(TableText::new).toList();
    }

    /** The digest of the tables of one execution. */
    record TableText(ParquetDigest digest) {

        String folder() {
            return digest.folder().getFileName() + (digest.schema().isEmpty() ? "" : ", schema " + digest.schema());
        }

        List<String> nothing() {
            return Stream.of(digest.nothingOf()).filter(text -> !text.isEmpty()).toList();
        }

        List<PartText> parts() {
            return digest.parts().stream().map(PartText::new).toList();
        }
    }

    /** One part of a digest. */
    record PartText(ParquetDigest.Part part) {

        String title() {
            return part.title();
        }

        List<String> trouble() {
            return part.rows().isPresent() ? List.of() : List.of("They could not be read. " + part.trouble());
        }

        /** Returns the lines without a share. */
        List<String> items() {
            return part.lines().stream()
                    .filter(line -> line.share().isEmpty())
                    .map(line -> "%s (%s)".formatted(line.label(), rounded(line.value())))
                    .toList();
        }

        List<Row> rows() {
            Scale scale = new Scale(0, 1);
            return part.lines().stream()
                    .filter(line -> line.share().isPresent())
                    .map(line -> new Row(
                            line.label(),
                            "fill",
                            Optional.of(scale.at(line.share().getAsDouble())),
                            rounded(line.value())))
                    .toList();
        }
    }

    String latency() {
        return latencies().findFirst().orElse(Latency.TOTAL.metric());
    }

    /** Returns the distribution of the executions; empty for one execution, or when the page already shows it above. */
    Optional<Distribution> executions() {
        return outcomes.stream()
                        .limit(1)
                        .anyMatch(outcome -> outcome.metric().equals(latency())
                                && decisive(outcome).executions().isPresent())
                ? Optional.empty()
                : drawing(latency(), Unit.SECONDS, List.of());
    }

    /** Creates the chart, with a row for each rank or graph. First executions count only where there are no others. */
    private Optional<Distribution> drawing(String metric, Unit unit, List<Distribution.Limit> limits) {
        List<Distribution.Part> parts = new ArrayList<>();
        for (ComparableExecutions part : ComparableExecutions.of(profile.executions())) {
            ComparableExecutions steady = Doubts.carriesTime(metric) ? part.without(Doubt.Kind.FIRST_EXECUTION) : part;
            double[] values = ProfileValue.values((steady.executions().isEmpty() ? part : steady).executions(), metric);
            if (values.length > 0) {
                parts.add(new Distribution.Part(
                        part.name().isEmpty() ? CountText.of(values.length, "execution") : part.name(),
                        Arrays.stream(values).boxed().toList(),
                        rounded(new Quantity(Statistic.MEDIAN.of(values, true), unit).toString())
                                + (values.length > 1 ? " median" : "")));
            }
        }
        return Distribution.of(unit, parts, limits);
    }

    List<String> notices() {
        return profile.notices();
    }

    String folder() {
        return PathText.of(profile.folder());
    }

    List<String> traces() {
        return profile.executions().stream()
                .map(execution -> PathText.of(execution.ntff()))
                .distinct()
                .toList();
    }

    List<String> viewCommands() {
        return ProfileText.viewCommands(profile);
    }

    List<String> tables() {
        return ProfileText.tables(profile);
    }

    String countOfTraces() {
        return CountText.of(traces().size(), "trace");
    }
}
