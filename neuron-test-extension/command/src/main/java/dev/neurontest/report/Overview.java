package dev.neurontest.report;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.text.CountText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
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
 * @param longestWait the one that waited most; empty when none waited as long as a millisecond
 * @param skips reasons to skip with how many tests each, the most frequent one first
 * @param comparisons with baselines that are not simply well: worse, contaminated, undecided, without a baseline, improved
 * @param comparedWell how many comparisons were simply well
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Overview(
        long tests,
        Map<TestOutcome, Long> outcomes,
        List<String> platforms,
        Optional<Instant> started,
        Duration took,
        Duration waited,
        Optional<ReportedTest> longestWait,
        Map<String, Long> skips,
        List<Comparison> comparisons,
        long comparedWell) {

    private static final List<ComparisonOutcome> URGENCY = List.of(
            ComparisonOutcome.WORSE,
            ComparisonOutcome.CONTAMINATED,
            ComparisonOutcome.UNDECIDED,
            ComparisonOutcome.NO_BASELINE,
            ComparisonOutcome.NOT_WORSE);

    /**
     * Looks at a run.
     *
     * @param report of it
     * @return what is said first
     */
    public static Overview of(RunReport report) {
        Map<TestOutcome, Long> outcomes = new EnumMap<>(TestOutcome.class);
        Map<String, Long> skips = new LinkedHashMap<>();
        List<Comparison> comparisons = new ArrayList<>();
        Duration waited = Duration.ZERO;
        Optional<ReportedTest> longest = Optional.empty();
        for (ReportedTest test : report.tests()) {
            if (counts(test)) {
                outcomes.merge(test.outcome(), 1L, Long::sum);
            }
            if (test.outcome() == TestOutcome.SKIPPED) {
                skips.merge(test.reason().orElse("no reason given"), 1L, Long::sum);
            }
            comparisons.addAll(test.comparisons());
            waited = waited.plus(test.waited());
            if (test.waited().toMillis() > 0
                    && longest.filter(other -> other.waited().compareTo(test.waited()) >= 0)
                            .isEmpty()) {
                longest = Optional.of(test);
            }
        }
        List<Comparison> open = comparisons.stream()
                .filter(each -> each.outcome() != ComparisonOutcome.NOT_WORSE || each.improved())
                .sorted(Comparator.comparing(each -> URGENCY.indexOf(each.outcome())))
                .toList();
        Optional<Instant> started =
                report.jvms().stream().map(ReportedJvm::started).min(Comparator.naturalOrder());
        Duration took = started.map(from -> Duration.between(
                        from,
                        report.jvms().stream()
                                .map(ReportedJvm::ended)
                                .max(Comparator.naturalOrder())
                                .orElse(from)))
                .orElse(Duration.ZERO);
        return new Overview(
                outcomes.values().stream().mapToLong(Long::longValue).sum(),
                outcomes,
                platforms(report),
                started,
                took,
                waited,
                longest,
                skips.entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, LinkedHashMap::new)),
                open,
                comparisons.size() - open.size());
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

    private static List<String> platforms(RunReport report) {
        Map<String, Long> jvms = new LinkedHashMap<>();
        report.jvms().forEach(jvm -> jvms.merge(platform(jvm), 1L, Long::sum));
        return jvms.entrySet().stream()
                .map(each -> each.getKey() + (each.getValue() == 1 ? "" : " (" + each.getValue() + " JVMs)"))
                .toList();
    }

    /** The same words as the summary at the end of each JVM. */
    private static String platform(ReportedJvm jvm) {
        if (jvm.platform().isEmpty()) {
            return "no Neuron host";
        }
        RunEvent.PlatformChosen host = jvm.platform().get();
        return "%s (%s)%s, %s with %s%s%s"
                .formatted(
                        host.instanceType() == null ? host.host() : host.instanceType(),
                        host.kind(),
                        host.driverVersion() == null ? "" : ", driver " + host.driverVersion(),
                        CountText.of(host.devices(), "device"),
                        CountText.of(host.cores(), "core"),
                        host.lnc() == 1 ? "" : ", LNC " + host.lnc(),
                        jvm.onHardware() ? ", on " + jvm.host() : "");
    }

    /**
     * How many ended how, in words.
     *
     * @return such as {@code 1 failed, 3 passed}; {@code no test} without any
     */
    public String outcomesInWords() {
        return outcomes.isEmpty()
                ? "no test"
                : outcomes.entrySet().stream()
                        .map(each -> each.getValue() + " " + each.getKey())
                        .collect(Collectors.joining(", "));
    }
}
