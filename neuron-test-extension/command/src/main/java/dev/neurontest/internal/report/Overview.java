package dev.neurontest.internal.report;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * What all views say first about a run.
 *
 * @param tests how many ran or were skipped; a class that leases for its tests counts where it did not pass
 * @param outcomes how many ended how; an outcome that there was not is not there
 * @param platforms where, each with its number of JVMs when these are several
 * @param started when the first JVM began; empty when there was none
 * @param took from then until the last one ended
 * @param waited for cores, all tests and classes together
 * @param skips reasons to skip with how many tests each, the most frequent one first
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Overview(
        long tests,
        Map<TestOutcome, Long> outcomes,
        List<String> platforms,
        Optional<Instant> started,
        Duration took,
        Duration waited,
        Map<String, Long> skips) {

    /**
     * Counts what happened in a run.
     *
     * @param report of the run
     * @return what every view says first
     */
    public static Overview of(RunReport report) {
        Map<TestOutcome, Long> outcomes = new EnumMap<>(TestOutcome.class);
        Stream.of(TestOutcome.values()).forEach(each -> outcomes.put(each, 0L));
        report.tests().stream().filter(Overview::counts).forEach(test -> outcomes.merge(test.outcome(), 1L, Long::sum));
        Optional<Instant> started =
                report.jvms().stream().map(ReportedJvm::started).min(Comparator.naturalOrder());
        Optional<Instant> ended = report.jvms().stream().map(ReportedJvm::ended).max(Comparator.naturalOrder());
        return new Overview(
                outcomes.values().stream().mapToLong(Long::longValue).sum(),
                outcomes,
                frequencies(report.jvms().stream().map(Overview::platform)).entrySet().stream()
                        .map(each -> each.getKey() + (each.getValue() == 1 ? "" : " (" + each.getValue() + " JVMs)"))
                        .toList(),
                started,
                started.map(from -> Duration.between(from, ended.orElse(from))).orElse(Duration.ZERO),
                report.tests().stream().map(ReportedTest::waited).reduce(Duration.ZERO, Duration::plus),
                frequencies(report.tests().stream()
                                .filter(test -> test.outcome() == TestOutcome.SKIPPED)
                                .map(test -> test.reason().orElse("no reason given")))
                        .entrySet()
                        .stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, LinkedHashMap::new)));
    }

    private static Map<String, Long> frequencies(Stream<String> texts) {
        return texts.collect(Collectors.groupingBy(Function.identity(), LinkedHashMap::new, Collectors.counting()));
    }

    /**
     * Whether an execution counts.
     *
     * @param test of a run
     * @return false for a class that leased for its tests and passed
     */
    public static boolean counts(ReportedTest test) {
        return test.isTest() || test.outcome() != TestOutcome.PASSED;
    }

    /** Returns the host of a JVM; real devices belong to a machine. */
    private static String platform(ReportedJvm jvm) {
        return jvm.platform()
                .map(host -> host.words() + (jvm.onHardware() ? ", on " + jvm.host() : ""))
                .orElse("no Neuron host");
    }

    /**
     * How many ended how, in words.
     *
     * @return such as {@code 1 failed, 3 passed}; {@code no test} without any
     */
    public String outcomesInWords() {
        return tests == 0
                ? "no test"
                : outcomes.entrySet().stream()
                        .filter(each -> each.getValue() > 0)
                        .map(each -> each.getValue() + " " + each.getKey())
                        .collect(Collectors.joining(", "));
    }
}
