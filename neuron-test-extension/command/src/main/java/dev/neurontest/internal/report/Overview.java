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
 * The numbers at the top of every view of a run.
 *
 * @param tests number of tests that ran or were skipped; a class that leases cores for its tests counts only when it did not pass
 * @param outcomes number of tests by outcome; zero for outcomes without tests
 * @param platforms platforms, each with its number of JVMs if there are several
 * @param started start of the first JVM; empty without JVMs
 * @param took time from then until the end of the last JVM
 * @param waited waiting time for cores, summed over all tests and classes
 * @param skips reasons for skipping with the number of tests, the most frequent first
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

    /** Creates the overview of a run. */
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
     * Checks whether an execution counts as a test.
     *
     * @return false for a class that leased cores for its tests and passed
     */
    public static boolean counts(ReportedTest test) {
        return test.isTest() || test.outcome() != TestOutcome.PASSED;
    }

    /** Returns the host of a JVM, with the machine for real devices. */
    private static String platform(ReportedJvm jvm) {
        return jvm.platform()
                .map(host -> host.words() + (jvm.onHardware() ? ", on " + jvm.host() : ""))
                .orElse("no Neuron host");
    }

    /** Returns the number of tests by outcome in words, such as {@code 1 failed, 3 passed}, or {@code no test}. */
    public String outcomesInWords() {
        return tests == 0
                ? "no test"
                : outcomes.entrySet().stream()
                        .filter(each -> each.getValue() > 0)
                        .map(each -> each.getValue() + " " + each.getKey())
                        .collect(Collectors.joining(", "));
    }
}
