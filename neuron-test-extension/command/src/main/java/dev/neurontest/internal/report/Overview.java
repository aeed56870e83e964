package dev.neurontest.internal.report;

import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The numbers of a run, which every view and the gate use.
 *
 * @param tests number of tests that ran or were skipped; a test counts once with all its attempts, and a class is no test
 * @param executions number of times that a test ran: each attempt, in each JVM; a skipped or aborted one did not run
 * @param hardwareTests number of different tests that ran to their end on hardware
 * @param outcomes number of tests by the outcome of their last attempt; zero for outcomes without tests
 * @param classes number of classes by outcome that did not pass, such as for a failure in {@code @BeforeAll}; only outcomes with classes
 * @param notApplicable number of expectations that do not apply to what their tests did
 * @param runs ids of the runs; empty when the files belong to any run
 * @param platforms platforms, each with its number of JVMs if there are several
 * @param started start of the first JVM; empty without JVMs
 * @param took time from then until the end of the last JVM
 * @param waited waiting time for cores, summed over all attempts of tests and classes
 * @param skips reasons for skipping with the number of tests, the most frequent first
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Overview(
        long tests,
        long executions,
        long hardwareTests,
        Map<TestOutcome, Long> outcomes,
        Map<TestOutcome, Long> classes,
        long notApplicable,
        List<String> runs,
        List<String> platforms,
        Optional<Instant> started,
        Duration took,
        Duration waited,
        Map<String, Long> skips) {

    private static final int SHOWN = 3;
    private static final int MOST_HOSTS = 4;

    private static final Set<TestOutcome> RAN_TO_ITS_END =
            Set.of(TestOutcome.PASSED, TestOutcome.FAILED, TestOutcome.UNDECIDED);

    /** Creates the overview of a run. */
    public static Overview of(RunReport report) {
        Map<TestOutcome, Long> outcomes = new EnumMap<>(TestOutcome.class);
        Stream.of(TestOutcome.values()).forEach(each -> outcomes.put(each, 0L));
        Map<TestOutcome, Long> classes = new EnumMap<>(TestOutcome.class);
        report.tests().stream()
                .filter(Overview::isListed)
                .forEach(test -> (test.isTest() ? outcomes : classes).merge(test.outcome(), 1L, Long::sum));
        Optional<Instant> started =
                report.jvms().stream().map(ReportedJvm::started).min(Comparator.naturalOrder());
        Optional<Instant> ended = report.jvms().stream().map(ReportedJvm::ended).max(Comparator.naturalOrder());
        return new Overview(
                outcomes.values().stream().mapToLong(Long::longValue).sum(),
                report.executions()
                        .filter(test -> test.isTest() && hasRun(test))
                        .count(),
                report.tests().stream()
                        .filter(test -> ranOnHardware(report, test))
                        .map(test -> report.jvms()
                                        .get(test.jvm())
                                        .start()
                                        .map(RunEvent.RunStarted::directory)
                                        .orElse("")
                                + "\n" + test.id().id())
                        .distinct()
                        .count(),
                outcomes,
                classes,
                report.tests().stream()
                        .mapToLong(test -> test.notApplicable().size())
                        .sum(),
                report.jvms().stream()
                        .flatMap(jvm -> jvm.run().stream())
                        .distinct()
                        .toList(),
                platforms(report),
                started,
                started.map(from -> Duration.between(from, ended.orElse(from))).orElse(Duration.ZERO),
                report.executions().map(ReportedTest::waited).reduce(Duration.ZERO, Duration::plus),
                frequencies(report.tests().stream()
                                .filter(test -> test.outcome() == TestOutcome.SKIPPED)
                                .map(test -> test.reason().orElse("no reason given")))
                        .entrySet()
                        .stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, LinkedHashMap::new)));
    }

    /** Returns the hosts of the JVMs, and then those of clusters. Hosts of one kind have one line. */
    private static List<String> platforms(RunReport report) {
        Stream<String> ofJvms = frequencies(report.jvms().stream().map(Overview::platform)).entrySet().stream()
                .map(each -> each.getKey() + (each.getValue() == 1 ? "" : " (" + each.getValue() + " JVMs)"));
        Map<String, Set<String>> ofClusters = report.jvms().stream()
                .flatMap(jvm -> jvm.hosts().stream())
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(
                        RunEvent.HostAdded::words,
                        LinkedHashMap::new,
                        Collectors.mapping(RunEvent.HostAdded::name, Collectors.toCollection(LinkedHashSet::new))));
        return Stream.concat(
                        ofJvms,
                        ofClusters.entrySet().stream()
                                .map(each -> ListText.some(each.getValue(), MOST_HOSTS) + " " + each.getKey()))
                .toList();
    }

    private static boolean hasRun(ReportedTest test) {
        return RAN_TO_ITS_END.contains(test.outcome()) || test.outcome() == TestOutcome.LOST && test.hasBegun();
    }

    /** Checks whether a test ran to its end on hardware. Simulated kernels do not, whatever the host is. */
    public static boolean ranOnHardware(RunReport report, ReportedTest test) {
        return test.isTest()
                && RAN_TO_ITS_END.contains(test.outcome())
                && !test.simulated()
                && report.jvms().get(test.jvm()).onHardware(test);
    }

    private static Map<String, Long> frequencies(Stream<String> texts) {
        return texts.collect(Collectors.groupingBy(Function.identity(), LinkedHashMap::new, Collectors.counting()));
    }

    /**
     * Checks whether views list a test or class.
     *
     * @return false for a class that leased cores for its tests and passed
     */
    public static boolean isListed(ReportedTest test) {
        return test.isTest() || test.outcome() != TestOutcome.PASSED;
    }

    /** Returns the host of a JVM, with the machine for real devices. */
    private static String platform(ReportedJvm jvm) {
        return jvm.platform()
                .map(host -> host.words() + (jvm.onHardware() ? ", on " + jvm.host() : ""))
                .orElse("no Neuron host");
    }

    /** Returns the numbers by outcome in words, such as {@code 1 failed, 3 passed, 1 failed class}, or {@code no test}. */
    public String outcomesInWords() {
        return Stream.concat(
                        tests == 0
                                ? Stream.of("no test")
                                : outcomes.entrySet().stream()
                                        .filter(each -> each.getValue() > 0)
                                        .map(each -> each.getValue() + " " + each.getKey()),
                        Stream.concat(
                                classesInWords(),
                                Stream.of(notApplicable)
                                        .filter(number -> number > 0)
                                        .map(number -> CountText.of(number, "expectation") + " not applicable")))
                .collect(Collectors.joining(", "));
    }

    /** Returns the number of classes by outcome in words, such as {@code 1 failed class}. */
    public Stream<String> classesInWords() {
        return classes.entrySet().stream().map(each -> CountText.of(each.getValue(), each.getKey() + " class"));
    }

    /**
     * Returns the judged run with its id, start and end.
     *
     * @return such as {@code GitHub run 4711, 2026-11-21 02:10:00 to 02:59:00 UTC}; empty without JVMs
     */
    public Optional<String> run() {
        return started.map(start -> {
            String from = clock(start);
            String to = clock(start.plus(took));
            boolean sameDay = from.substring(0, 10).equals(to.substring(0, 10));
            return "%s%s to %s UTC"
                    .formatted(runsInWords().map(ids -> ids + ", ").orElse(""), from, sameDay ? to.substring(11) : to);
        });
    }

    /** Returns the ids of the runs; empty when there is none. */
    public Optional<String> runsInWords() {
        return runs.isEmpty() ? Optional.empty() : Optional.of(ListText.some(runs, SHOWN));
    }

    private static String clock(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' ').replace("Z", "");
    }
}
