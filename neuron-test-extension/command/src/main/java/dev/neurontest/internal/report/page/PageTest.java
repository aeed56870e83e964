package dev.neurontest.internal.report.page;

import dev.neurontest.internal.counter.ParsedCounters;
import dev.neurontest.internal.report.CoreList;
import dev.neurontest.internal.report.FailureGroup;
import dev.neurontest.internal.report.ParsedDoubt;
import dev.neurontest.internal.report.ParsedProfile;
import dev.neurontest.internal.report.ReportedCore;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.show.Limits;
import dev.neurontest.internal.report.show.ReportPart;
import dev.neurontest.internal.report.show.TestView;
import dev.neurontest.internal.text.CountText;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A test on a page: its row in the table of all tests, and its details if it needs attention. */
final class PageTest extends TestView {

    private static final int LONGEST_REASON = 160;
    private static final int MOST_HISTORIES = 8;

    private final String id;
    private final boolean inFull;
    private final CoreStory story;
    private final PageFiles files;

    /**
     * Creates a test of a page.
     *
     * @param group tests with the same cause as this one
     * @param id anchor of the details of the group; empty without details
     */
    PageTest(ReportedTest test, FailureGroup group, String id, CoreStory story, PageFiles files) {
        super(test, group.others(), story.report(), Limits.PAGE);
        this.id = id;
        this.inFull = !id.isEmpty() && group.first() == test;
        this.story = story;
        this.files = files;
    }

    String id() {
        return id;
    }

    String numbers() {
        return story.cores(test()).stream()
                .map(core -> String.valueOf(story.number(core)))
                .collect(Collectors.joining(" "));
    }

    long tookMillis() {
        return test().took().toMillis();
    }

    long waitedMillis() {
        return test().waited().toMillis();
    }

    String clock() {
        return TimeAxis.clock(test().started());
    }

    String repeated() {
        return test().attempts()
                .map(earlier -> CountText.of(earlier.size() + 1L, "attempt"))
                .orElse("");
    }

    Optional<String> shortReason() {
        return test().reason().isEmpty() || outcome() == TestOutcome.PASSED
                ? Optional.empty()
                : reason().map(line -> Limits.bounded(line, LONGEST_REASON));
    }

    /** Returns its files; if it is shown in full, only its details contain the links. */
    List<PageFiles.Link> attachments() {
        List<PageFiles.Link> links = files.inPlace(test());
        return !inFull
                ? links
                : links.stream()
                        .map(link -> new PageFiles.Link(link.name(), Optional.empty()))
                        .toList();
    }

    PageFiles.OfTest files() {
        return files.of(test(), id);
    }

    /** Returns whether the test ran on the hosts of a cluster, so that the names of its cores need their host. */
    boolean onCluster() {
        return !CoreList.hosts(test().cores()).isEmpty();
    }

    List<PageHistory> histories() {
        return allHistories().limit(MOST_HISTORIES).toList();
    }

    /** Returns the history of each core. If there are many, cores without failures and quarantines are left out. */
    private Stream<PageHistory> allHistories() {
        List<ReportedCore> cores = story.cores(test());
        return cores.stream()
                .map(core -> PageHistory.of(core, test(), story))
                .filter(history -> cores.size() <= MOST_HISTORIES || history.isRemarkable());
    }

    /** Returns a text about the cores whose history is not shown; empty if all are. */
    Optional<String> otherCores() {
        int shown = histories().size();
        int others = story.cores(test()).size() - shown;
        if (others == 0) {
            return Optional.empty();
        }
        return Optional.of(
                allHistories().count() > shown
                        ? "and %s more".formatted(others)
                        : "%s: %sno failure that a core can cause, and no quarantine"
                                .formatted(coreList(), shown == 0 ? "" : "the others had "));
    }

    String coreList() {
        return CoreList.of(test().cores());
    }

    String wholeMessage() {
        return String.join("\n", message());
    }

    /** Returns the heading of a failure: only the first line if the whole message is unfolded below it. */
    Optional<String> heading() {
        return message().isEmpty() || !isMessageOpen()
                ? reason()
                : test().message()
                        .flatMap(message -> message.lines().findFirst())
                        .map(line -> Limits.bounded(line, Limits.CONSOLE.characters()));
    }

    /** Checks whether only the message contains the decisive information, such as different elements of a tensor. */
    boolean isMessageOpen() {
        return hasOwnReason() || mismatches().isPresent();
    }

    /** Returns the changes of the counters of each host. Hosts without changes are all alike. */
    List<PageCounters> counters() {
        List<ParsedCounters> all =
                recorded(ParsedCounters.KIND).map(ParsedCounters::of).distinct().toList();
        boolean isOfCluster = all.stream().anyMatch(each -> each.hostOfCluster().isPresent());
        return all.stream().map(each -> new PageCounters(each, isOfCluster)).toList();
    }

    List<PageProfile> profiles() {
        return recorded(ParsedProfile.KIND)
                .map(each -> new PageProfile(ParsedProfile.of(each)))
                .toList();
    }

    List<PageComparison> comparisons() {
        return test().comparisons().stream().map(PageComparison::new).toList();
    }

    ReportPart doubts() {
        return ReportPart.of(
                "Prints in doubt",
                prints().stream()
                        .flatMap(each -> each.doubts().stream())
                        .map(ParsedDoubt::reason)
                        .toList(),
                Limits.PAGE);
    }
}
