package dev.neurontest.report.page;

import dev.neurontest.evidence.Phase;
import dev.neurontest.json.JsonObject;
import dev.neurontest.metric.Fraction;
import dev.neurontest.recording.Violation;
import dev.neurontest.report.RecordedCounters;
import dev.neurontest.report.RecordedPrints;
import dev.neurontest.report.ReportedTest;
import dev.neurontest.report.RerunCommand;
import dev.neurontest.report.TestOutcome;
import dev.neurontest.text.CountText;
import dev.neurontest.text.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A test: its row in the table of all tests, and all that is known of it where it needs attention. */
final class PageTest {

    private static final int LONGEST_REASON = 160;
    private static final String ASSERTION = "org.opentest4j.AssertionFailedError: ";
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final ReportedTest test;
    private final String id;
    private final CoreStory story;
    private final PageFiles files;

    /**
     * A test of a page.
     *
     * @param id where more is said of it; empty when nowhere
     */
    PageTest(ReportedTest test, String id, CoreStory story, PageFiles files) {
        this.test = test;
        this.id = id;
        this.story = story;
        this.files = files;
    }

    ReportedTest test() {
        return test;
    }

    String id() {
        return id;
    }

    String name() {
        return test.id().name();
    }

    TestOutcome outcome() {
        return test.outcome();
    }

    String cores() {
        return String.join(", ", test.cores());
    }

    String numbers() {
        return story.cores(test).stream()
                .map(core -> String.valueOf(story.number(core)))
                .collect(Collectors.joining(" "));
    }

    long tookMillis() {
        return test.took().toMillis();
    }

    String took() {
        return shown(test.took());
    }

    long waitedMillis() {
        return test.waited().toMillis();
    }

    String waited() {
        return shown(test.waited());
    }

    private static String shown(Duration duration) {
        return duration.isZero() ? "" : DurationText.of(duration);
    }

    Instant started() {
        return test.started();
    }

    String clock() {
        return CLOCK.format(test.started());
    }

    String repeated() {
        return test.retries() == 0 ? "" : CountText.of(test.retries(), "time");
    }

    Optional<String> shortReason() {
        return test.reason()
                .filter(reason -> test.outcome() != TestOutcome.PASSED)
                .map(PageTest::firstLine)
                .map(line -> line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON) + "\u2026");
    }

    /** That it is a failed assertion is no news. */
    private static String firstLine(String text) {
        String line = text.strip().lines().findFirst().orElse("");
        return line.startsWith(ASSERTION) ? line.substring(ASSERTION.length()) : line;
    }

    /** Where more is said of it, its files are there; here they are found by their names. */
    List<PageFiles.Link> attachments() {
        List<PageFiles.Link> links = files.inPlace(test);
        return id.isEmpty()
                ? links
                : links.stream()
                        .map(link -> new PageFiles.Link(link.name(), Optional.empty()))
                        .toList();
    }

    PageFiles.OfTest files() {
        return files.of(test, id);
    }

    List<PageHistory> histories() {
        return story.cores(test).stream()
                .map(core -> PageHistory.of(core, test, story))
                .toList();
    }

    Optional<String> rerun() {
        return RerunCommand.of(story.report(), test);
    }

    Optional<Phase> lostIn() {
        return test.lastPhase().filter(phase -> test.outcome() == TestOutcome.LOST);
    }

    String host() {
        return story.host(test);
    }

    /** Its first line; the whole message is long and has the tables once more. */
    Optional<String> reason() {
        Optional<String> reason = test.reason().map(PageTest::firstLine).filter(line -> !line.isEmpty());
        return reason.isEmpty() && test.outcome() == TestOutcome.LOST
                ? Optional.of("Its JVM ended before the test did.")
                : reason;
    }

    /** Empty when the first line is all. */
    Optional<String> wholeReason() {
        return test.reason().map(String::strip).filter(reason -> reason.lines().count() > 1);
    }

    /** Where no table says what decides, or a tensor differs in some of its elements, the message does. */
    boolean isMessageOpen() {
        return test.violations().isEmpty() && test.undecided().isEmpty()
                || prints().stream()
                        .anyMatch(each -> !each.prints().mismatches().isEmpty());
    }

    /** A demand that was not met; what to do is said behind the first for which it is the same. */
    record Demand(Violation violation, String advice) {}

    List<Demand> demands() {
        List<Demand> demands = new ArrayList<>();
        Set<String> said = new HashSet<>();
        test.violations().forEach(each -> demands.add(new Demand(each, said.add(each.advice()) ? each.advice() : "")));
        return demands;
    }

    private <T> List<T> recorded(String kind, Function<JsonObject, T> read) {
        return test.recordings().stream()
                .filter(each -> each.kind().equals(kind))
                .map(each -> read.apply(each.recording()))
                .toList();
    }

    List<PageCounters> counters() {
        return recorded(RecordedCounters.KIND, each -> new PageCounters(RecordedCounters.of(each)));
    }

    List<PagePrints> prints() {
        return recorded(RecordedPrints.KIND, each -> new PagePrints(RecordedPrints.of(each)));
    }

    List<PageProfile> profiles() {
        return recorded(RecordedProfile.KIND, each -> new PageProfile(RecordedProfile.of(each)));
    }

    Optional<Fraction> throttled() {
        return profiles().stream()
                .flatMap(each -> each.profile().throttled().stream())
                .max(Comparator.naturalOrder());
    }

    List<PageComparison> comparisons() {
        return test.comparisons().stream().map(PageComparison::new).toList();
    }

    Lines notices() {
        return new Lines("Also seen", test.notices());
    }
}
