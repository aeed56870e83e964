package dev.neurontest.internal.command.run;

import dev.neurontest.internal.command.run.TestResults.Result;
import dev.neurontest.internal.command.run.TestResults.Status;
import dev.neurontest.internal.process.Redaction;
import dev.neurontest.internal.terminal.Style;
import dev.neurontest.internal.terminal.TerminalStyle;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.text.VisibleText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Results as text, with masked secrets. A name or reason is one line.
 *
 * @param results the results of one JVM
 * @param style the colors and the width of the text
 */
record ResultsText(TestResults results, TerminalStyle style) {

    /** Maximum number of tests listed below a reason. */
    private static final int NAMED = 3;

    /** Returns the line that is printed when a test has ended. */
    static String line(Result result, TerminalStyle style) {
        return word(result, style) + shown(result + tail(result));
    }

    /** Returns the tests that failed, each with its stack trace. */
    String failures() {
        return results.with(Status.FAILED).stream()
                .map(result -> "\n" + style.show(Style.FAILED, "FAILED") + "  " + shown(result.toString()) + "\n"
                        + Redaction.mask(result.trace()))
                .collect(Collectors.joining());
    }

    /** Returns each reason of skipped and aborted tests once, with the first of its tests. */
    String reasons() {
        return Stream.concat(results.with(Status.ABORTED).stream(), results.with(Status.SKIPPED).stream())
                .collect(Collectors.groupingBy(
                        result -> result.status() + kind(result) + tail(result),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .values()
                .stream()
                .map(all -> "%s%s\n  %s\n"
                        .formatted(
                                word(all.get(0), style),
                                shown(CountText.of(all.size(), kind(all.get(0))) + tail(all.get(0))),
                                shown(ListText.some(all, NAMED))))
                .collect(Collectors.joining());
    }

    /** Returns the number of tests of each status. */
    String summary(Duration took) {
        String counts = Stream.of(Status.values())
                .filter(status -> tests(status) > 0)
                .map(status -> style.show(
                        status.style(), tests(status) + " " + status.name().toLowerCase(Locale.ROOT)))
                .collect(Collectors.joining(", "));
        long tests = results.all().stream().filter(Result::test).count();
        long containers = results.with(Status.FAILED).size() - tests(Status.FAILED);
        return "%s%s%s in %s.%s s\n"
                .formatted(
                        CountText.of(tests, "test"),
                        counts.isEmpty() ? "" : ": " + counts,
                        containers == 0
                                ? ""
                                : ", and %s that could not run %s tests"
                                        .formatted(containers, containers == 1 ? "its" : "their"),
                        took.toSeconds(),
                        took.toMillisPart() / 100);
    }

    private long tests(Status status) {
        return results.with(status).stream().filter(Result::test).count();
    }

    private static String shown(String line) {
        return VisibleText.line(Redaction.mask(line));
    }

    private static String word(Result result, TerminalStyle style) {
        return style.show(
                        result.status().style(),
                        "%-7s".formatted(result.status().word())) + " ";
    }

    /** Returns the kind of the result. JUnit does not report the tests of a class that was aborted as a whole. */
    private static String kind(Result result) {
        return result.test() ? "test" : "container";
    }

    private static String tail(Result result) {
        return switch (result.status()) {
            case PASSED -> " (" + result.took().toMillis() + " ms)";
            case FAILED -> "";
            case ABORTED, SKIPPED ->
                result.reason().isBlank()
                        ? ""
                        : ": " + result.reason().strip().lines().findFirst().orElse("");
        };
    }

    static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
