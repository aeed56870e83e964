package dev.neurontest.report.page;

import dev.neurontest.counter.RecordedCounters;
import dev.neurontest.metric.Fraction;
import dev.neurontest.report.RecordedDoubt;
import dev.neurontest.report.RecordedProfile;
import dev.neurontest.report.ReportedTest;
import dev.neurontest.report.TestOutcome;
import dev.neurontest.report.show.Limits;
import dev.neurontest.report.show.Part;
import dev.neurontest.report.show.TestView;
import dev.neurontest.text.CountText;
import dev.neurontest.text.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A test on a page: its row in the table of all tests, and its details where it needs attention. */
final class PageTest extends TestView {

    private static final int LONGEST_REASON = 160;

    private final String id;
    private final CoreStory story;
    private final PageFiles files;

    /**
     * Creates a test of a page.
     *
     * @param id place of its details; empty without any
     */
    PageTest(ReportedTest test, String id, CoreStory story, PageFiles files) {
        super(test, story.report(), Limits.PAGE);
        this.id = id;
        this.story = story;
        this.files = files;
    }

    String id() {
        return id;
    }

    String cores() {
        return String.join(", ", test().cores());
    }

    String numbers() {
        return story.cores(test()).stream()
                .map(core -> String.valueOf(story.number(core)))
                .collect(Collectors.joining(" "));
    }

    long tookMillis() {
        return test().took().toMillis();
    }

    String took() {
        return shown(test().took());
    }

    long waitedMillis() {
        return test().waited().toMillis();
    }

    String waited() {
        return shown(test().waited());
    }

    private static String shown(Duration duration) {
        return duration.isZero() ? "" : DurationText.of(duration);
    }

    Instant started() {
        return test().started();
    }

    String clock() {
        return TimeAxis.clock(test().started());
    }

    String repeated() {
        return test().retries() == 0 ? "" : CountText.of(test().retries(), "time");
    }

    Optional<String> shortReason() {
        return test().reason().isEmpty() || outcome() == TestOutcome.PASSED
                ? Optional.empty()
                : reason().map(line -> Limits.bounded(line, LONGEST_REASON));
    }

    /** Returns its files; where there are details, these have the links. */
    List<PageFiles.Link> attachments() {
        List<PageFiles.Link> links = files.inPlace(test());
        return id.isEmpty()
                ? links
                : links.stream()
                        .map(link -> new PageFiles.Link(link.name(), Optional.empty()))
                        .toList();
    }

    PageFiles.OfTest files() {
        return files.of(test(), id);
    }

    List<PageHistory> histories() {
        return story.cores(test()).stream()
                .map(core -> PageHistory.of(core, test(), story))
                .toList();
    }

    String wholeMessage() {
        return String.join("\n", message());
    }

    /** Returns whether the message alone says what decides, as it does of elements of a tensor that differ. */
    boolean isMessageOpen() {
        return onlyReason().isPresent() || mismatches().isPresent();
    }

    List<PageCounters> counters() {
        return recorded(RecordedCounters.KIND)
                .map(each -> new PageCounters(RecordedCounters.of(each)))
                .toList();
    }

    List<PageProfile> profiles() {
        return recorded(RecordedProfile.KIND)
                .map(each -> new PageProfile(RecordedProfile.of(each)))
                .toList();
    }

    Optional<Fraction> throttled() {
        return profiles().stream().flatMap(each -> each.throttled().stream()).max(Comparator.naturalOrder());
    }

    List<PageComparison> comparisons() {
        return test().comparisons().stream().map(PageComparison::new).toList();
    }

    Part doubts() {
        return Part.of(
                "Prints in doubt",
                prints().stream()
                        .flatMap(each -> each.doubts().stream())
                        .map(RecordedDoubt::reason)
                        .toList(),
                Limits.PAGE);
    }
}
