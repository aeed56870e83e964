package dev.neurontest.internal.report.page;

import dev.neurontest.internal.report.history.RunHistory;
import dev.neurontest.internal.report.history.RunRecord;
import dev.neurontest.internal.report.show.TruncatedList;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.DurationText;
import dev.neurontest.metric.Quantity;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The trends over the last runs of a history. */
record PageRuns(RunHistory history) {

    private static final int MOST_TRENDS = 100;
    private static final int MOST_PROBLEMS = 5;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** A test that was flaky in several runs. */
    record Flaky(String name, String times) {}

    TruncatedList<String> problems() {
        return TruncatedList.of(history.problems(), MOST_PROBLEMS);
    }

    String since() {
        return "%s since %s UTC"
                .formatted(
                        CountText.of(history.runs().size(), "run"),
                        TIME.format(history.runs().get(0).started()));
    }

    /** Returns the trends of the duration, of failed and flaky tests, and of medians; empty for a single run. */
    List<Trend> trends() {
        if (history.runs().size() < 2) {
            return List.of();
        }
        return Stream.concat(
                        Stream.of(
                                trend(
                                        "duration",
                                        run -> run.took().toMillis(),
                                        run -> DurationText.of(run.took()),
                                        false),
                                trend("failed tests", RunRecord::failed, run -> ofAll(run.failed(), run), true),
                                trend(
                                        "flaky tests",
                                        run -> run.flaky().size(),
                                        run -> ofAll(run.flaky().size(), run),
                                        true)),
                        history.subjects().stream().map(this::trend))
                .limit(MOST_TRENDS)
                .toList();
    }

    private static String ofAll(long count, RunRecord run) {
        return "%s of %s".formatted(CountText.of(count), CountText.of(run.tests(), "test"));
    }

    private Trend trend(
            String label, ToDoubleFunction<RunRecord> value, Function<RunRecord, String> shown, boolean isBad) {
        List<RunRecord> runs = history.runs();
        return Trend.of(
                label,
                label,
                runs.stream()
                        .map(run -> new Trend.Value(
                                value.applyAsDouble(run),
                                "%s: %s".formatted(TIME.format(run.started()), shown.apply(run)),
                                isBad && value.applyAsDouble(run) > 0 ? "violated" : "dot"))
                        .toList(),
                shown.apply(runs.get(runs.size() - 1)));
    }

    private Trend trend(String subject) {
        List<Trend.Value> values = history.runs().stream()
                .flatMap(run -> run.values().stream()
                        .filter(value -> value.subject().equals(subject))
                        .limit(1)
                        .map(value -> new Trend.Value(
                                value.median(), "%s: %s".formatted(TIME.format(run.started()), shown(value)), "dot")))
                .toList();
        RunRecord last = history.runs().get(history.runs().size() - 1);
        return Trend.of(
                subject,
                subject,
                values,
                last.values().stream()
                        .filter(value -> value.subject().equals(subject))
                        .findFirst()
                        .map(PageRuns::shown)
                        .orElse(""));
    }

    private static String shown(RunRecord.Value value) {
        return new Quantity(value.median(), value.unit()).toString();
    }

    List<Flaky> flaky() {
        return history.oftenFlaky().entrySet().stream()
                .map(test -> new Flaky(
                        test.getKey(),
                        "%s of %s"
                                .formatted(
                                        test.getValue(),
                                        CountText.of(history.runs().size(), "run"))))
                .limit(MOST_TRENDS)
                .toList();
    }
}
