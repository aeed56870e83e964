package dev.neurontest.command.run;

import dev.neurontest.command.run.TestResults.Result;
import dev.neurontest.command.run.TestResults.Status;
import dev.neurontest.process.Redaction;
import dev.neurontest.terminal.Look;
import dev.neurontest.terminal.Style;
import dev.neurontest.text.CountText;
import dev.neurontest.text.ListText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Results in words, with secrets masked. */
final class ResultsText {

    /** How many tests are named beside a reason. */
    private static final int NAMED = 3;

    private ResultsText() {}

    /** The line that is printed when something has ended. */
    static String line(Result result, Look look) {
        return look.show(style(result.status()), "%-7s".formatted(word(result))) + " "
                + Redaction.mask(result + tail(result));
    }

    /** What failed, each with its stack trace. */
    static String failures(TestResults results, Look look) {
        return results.all().stream()
                .filter(result -> result.status() == Status.FAILED)
                .map(result -> "\n%s  %s"
                        .formatted(
                                look.show(Style.FAILED, "FAILED"),
                                Redaction.mask("%s\n%s"
                                        .formatted(
                                                result,
                                                result.thrown()
                                                        .map(ResultsText::trace)
                                                        .orElse("")))))
                .collect(Collectors.joining());
    }

    /** Why tests gave up or were skipped: each reason once, with the first of its tests. */
    static String reasons(TestResults results, Look look) {
        Map<String, List<Result>> reasons = new LinkedHashMap<>();
        results.all().stream()
                .filter(result -> result.status() == Status.ABORTED || result.status() == Status.SKIPPED)
                .forEach(result -> reasons.computeIfAbsent(
                                word(result) + counted(List.of(result)) + tail(result), none -> new ArrayList<>())
                        .add(result));
        return reasons.values().stream()
                .map(all -> "%s %s\n  %s\n"
                        .formatted(
                                look.show(Style.UNDECIDED, "%-7s".formatted(word(all.get(0)))),
                                Redaction.mask(counted(all) + tail(all.get(0))),
                                Redaction.mask(ListText.some(all, NAMED))))
                .collect(Collectors.joining());
    }

    /** JUnit does not tell of the tests in a class that gave up as a whole. */
    private static String counted(List<Result> results) {
        return CountText.of(results.size(), results.get(0).test() ? "test" : "container");
    }

    /** How many there were of each kind. */
    static String summary(TestResults results, Duration took, Look look) {
        long tests = results.all().stream().filter(Result::test).count();
        String counts = Stream.of(Status.values())
                .filter(status -> results.count(status) > 0)
                .map(status -> look.show(
                        style(status),
                        results.count(status) + " " + status.name().toLowerCase(Locale.ROOT)))
                .collect(Collectors.joining(", "));
        List<Result> containers = results.all().stream()
                .filter(result -> !result.test() && result.status() == Status.FAILED)
                .toList();
        return String.format(
                Locale.ROOT,
                "%d test%s%s%s in %d.%d s\n",
                tests,
                tests == 1 ? "" : "s",
                counts.isEmpty() ? "" : ": " + counts,
                containers.isEmpty()
                        ? ""
                        : ", and %s that could not run %s tests"
                                .formatted(containers.size(), containers.size() == 1 ? "its" : "their"),
                took.toSeconds(),
                took.toMillisPart() / 100);
    }

    private static Style style(Status status) {
        return switch (status) {
            case PASSED -> Style.PASSED;
            case FAILED -> Style.FAILED;
            case ABORTED, SKIPPED -> Style.UNDECIDED;
        };
    }

    private static String word(Result result) {
        return switch (result.status()) {
            case PASSED -> "ok";
            case FAILED -> "FAILED";
            case ABORTED -> "aborted";
            case SKIPPED -> "skipped";
        };
    }

    private static String tail(Result result) {
        return switch (result.status()) {
            case PASSED -> " (" + result.took().toMillis() + " ms)";
            case FAILED -> "";
            case ABORTED ->
                result.thrown()
                        .map(Throwable::getMessage)
                        .map(message -> ": " + firstLine(message))
                        .orElse("");
            case SKIPPED -> result.reason().isEmpty() ? "" : ": " + firstLine(result.reason());
        };
    }

    private static String firstLine(String text) {
        return text.strip().lines().findFirst().orElse("");
    }

    static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
