package dev.neurontest.report.page;

import dev.neurontest.report.ReportedQuarantine;
import dev.neurontest.report.ReportedTest;
import dev.neurontest.report.TestOutcome;
import dev.neurontest.text.CountText;
import dev.neurontest.text.DurationText;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A core over the time of the run, or a device as a whole: tests, waits, errors and quarantine. */
final class TimelineRow {

    /** Of more tests, neighbours are drawn as one. */
    static final int MOST_BARS = 60;

    /** Into how many pieces the time is cut then. */
    static final int PIECES = 120;

    /** In percent: a shorter bar could not be seen on a phone, and what failed must be. */
    private static final double LEAST_WIDTH = 0.4;

    private static final double LEAST_WIDTH_OF_BAD = 1;

    /** In percent: of a shorter wait only its test tells. */
    private static final double LEAST_WAIT = 0.2;

    /** Of many waits those are drawn that together took so much of their time. */
    private static final double LEAST_WAITED = 0.1;

    /** In percent: a name in a shorter bar could not be read. */
    private static final double LEAST_NAMED = 5;

    private static final int MOST_NAMED = 3;
    private static final int MOST_ERRORS = 20;

    private final TimeAxis axis;
    private final List<ReportedTest> tests = new ArrayList<>();
    private final List<ReportedQuarantine> quarantines = new ArrayList<>();
    private final Map<Integer, List<String>> errors = new TreeMap<>();
    private int failed;
    private long moved;

    TimelineRow(TimeAxis axis) {
        this.axis = axis;
    }

    /** A class that leases for its tests is here for its wait, and for a failure of its own. */
    void ran(ReportedTest test) {
        tests.add(test);
        failed += test.hasFailed() ? 1 : 0;
    }

    void moved(Instant at, String what) {
        List<String> seen = errors.computeIfAbsent(piece(at), none -> new ArrayList<>());
        if (seen.size() < MOST_ERRORS) {
            seen.add(what);
        }
        moved++;
    }

    void kept(ReportedQuarantine quarantine) {
        quarantines.add(quarantine);
    }

    /** Whether something went wrong on it. */
    boolean isBad() {
        return failed > 0 || moved > 0 || !quarantines.isEmpty();
    }

    /** A device as a whole, on which nothing runs. */
    boolean isThin() {
        return tests.isEmpty() && quarantines.isEmpty();
    }

    String said() {
        String wrong = (failed == 0 ? "" : failed + " failed")
                + (failed == 0 || moved == 0 ? "" : ", ")
                + (moved == 0 ? "" : CountText.of(moved, "error"));
        return wrong.isEmpty() ? CountText.of(runs().size(), "test") : wrong;
    }

    /**
     * A rectangle.
     *
     * @param kind how it is drawn
     * @param x in percent
     * @param width in percent
     * @param said what it is
     * @param name for what is drawn in it; empty where that would not fit
     * @param link where more is said of it; empty when nowhere
     */
    record Bar(String kind, double x, double width, String said, String name, String link) {}

    /** Errors at one place. */
    record ErrorMark(double x, String said) {}

    List<ErrorMark> errors() {
        return errors.entrySet().stream()
                .map(each -> new ErrorMark(100 * (each.getKey() + 0.5) / PIECES, String.join("\n", each.getValue())))
                .toList();
    }

    List<Bar> quarantines() {
        return quarantines.stream()
                .map(each -> bar(
                        "quarantine",
                        axis.at(each.at()),
                        100,
                        "%s since %s: %s".formatted(each.state(), TimeAxis.clock(each.at()), each.reason())))
                .toList();
    }

    /** Drawn first, so that they are seen below the tests and where none ran. */
    List<Bar> waits() {
        List<ReportedTest> waiting = tests.stream()
                .filter(test -> test.leased().isAfter(test.started()))
                .toList();
        return waiting.size() <= MOST_BARS
                ? waiting.stream()
                        .filter(test -> waited(test) >= LEAST_WAIT)
                        .map(this::wait)
                        .toList()
                : groups(waiting, ReportedTest::started, ReportedTest::leased, TestOutcome.PASSED).stream()
                        .filter(group ->
                                group.tests.stream().mapToDouble(this::waited).sum() >= LEAST_WAITED * group.width())
                        .map(group -> group.bar("wait", CountText.of(group.tests.size(), "test") + " waited for cores"))
                        .toList();
    }

    /** Returns the part of the run for which a test waited, in percent. */
    private double waited(ReportedTest test) {
        return axis.at(test.leased()) - axis.at(test.started());
    }

    private Bar wait(ReportedTest test) {
        return bar(
                "wait",
                axis.at(test.started()),
                axis.at(test.leased()),
                "%s waited %s for cores".formatted(test.id().name(), DurationText.of(test.waited())));
    }

    /** What failed comes last, so that nothing covers it. */
    List<Bar> bars(Function<ReportedTest, String> links) {
        return runs().size() <= MOST_BARS
                ? runs().stream()
                        .sorted(Comparator.comparing(ReportedTest::isTest)
                                .thenComparing(ReportedTest::outcome, Comparator.reverseOrder())
                                .thenComparing(ReportedTest::started))
                        .map(test -> bar(test, links.apply(test)))
                        .toList()
                : groups(runs(), ReportedTest::leased, ReportedTest::ended, null).stream()
                        .sorted(Comparator.comparing((Group group) -> group.worst)
                                .reversed())
                        .map(group -> group.bar(links))
                        .toList();
    }

    private List<ReportedTest> runs() {
        return tests.stream().filter(test -> test.isTest() || test.hasFailed()).toList();
    }

    private Bar bar(ReportedTest test, String link) {
        double from = axis.at(test.leased());
        double least = kind(test.outcome()).equals("passed") ? LEAST_WIDTH : LEAST_WIDTH_OF_BAD;
        double width = Math.max(least, axis.at(test.ended()) - from);
        String name = test.id().name();
        return new Bar(
                kind(test.outcome()),
                Math.min(from, 100 - width),
                width,
                "%s %s, %s to %s%s"
                        .formatted(
                                name,
                                test.outcome(),
                                TimeAxis.clock(test.leased()),
                                TimeAxis.clock(test.ended()),
                                test.waited().isZero() ? "" : ", waited " + DurationText.of(test.waited())),
                width < LEAST_NAMED ? "" : name.replaceFirst(".* > ", ""),
                link);
    }

    private static Bar bar(String kind, double from, double to, String said) {
        double width = Math.max(LEAST_WIDTH, to - from);
        return new Bar(kind, Math.min(from, 100 - width), width, said, "", "");
    }

    private static String kind(TestOutcome worst) {
        return switch (worst) {
            case FAILED, LOST -> "failed";
            case UNDECIDED, ABORTED -> "undecided";
            case SKIPPED, PASSED -> "passed";
        };
    }

    /** Tests that began in pieces of time side by side, whose worst ones are of the same kind. */
    private static final class Group {

        private final int first;
        private final TestOutcome worst;
        private final List<ReportedTest> tests = new ArrayList<>();
        private int last;

        private Group(int first, TestOutcome worst) {
            this.first = first;
            this.last = first;
            this.worst = worst;
        }

        double width() {
            return 100.0 * (last + 1 - first) / PIECES;
        }

        Bar bar(String kind, String said) {
            return new Bar(kind, 100.0 * first / PIECES, width(), said, "", "");
        }

        Bar bar(Function<ReportedTest, String> links) {
            String count = CountText.of(tests.size(), "test");
            List<ReportedTest> decisive = tests.stream()
                    .filter(test -> kind(test.outcome()).equals(kind(worst)))
                    .toList();
            String named = kind(worst).equals("passed")
                    ? ""
                    : ", %s %s: %s%s"
                            .formatted(
                                    decisive.size(),
                                    kind(worst),
                                    decisive.stream()
                                            .limit(MOST_NAMED)
                                            .map(test -> test.id().name())
                                            .collect(Collectors.joining(", ")),
                                    decisive.size() > MOST_NAMED ? ", ..." : "");
            return new Bar(
                    kind(worst),
                    100.0 * first / PIECES,
                    width(),
                    count + named,
                    width() < LEAST_NAMED ? "" : count,
                    decisive.stream()
                            .map(links)
                            .filter(link -> !link.isEmpty())
                            .findFirst()
                            .orElse(""));
        }
    }

    /** Groups tests by the piece of time in which they began; without an outcome for all of them the worst one of a piece decides. */
    private List<Group> groups(
            List<ReportedTest> tests,
            Function<ReportedTest, Instant> from,
            Function<ReportedTest, Instant> to,
            @Nullable TestOutcome outcome) {
        Map<Integer, List<ReportedTest>> pieces = new TreeMap<>();
        tests.forEach(test -> pieces.computeIfAbsent(piece(from.apply(test)), none -> new ArrayList<>())
                .add(test));
        Deque<Group> groups = new ArrayDeque<>();
        pieces.forEach((piece, all) -> {
            TestOutcome worst = outcome == null
                    ? all.stream()
                            .map(ReportedTest::outcome)
                            .min(Comparator.naturalOrder())
                            .orElseThrow()
                    : outcome;
            Group group = groups.peekLast();
            if (group == null || piece > group.last + 1 || !kind(group.worst).equals(kind(worst))) {
                group = new Group(piece, worst);
                groups.add(group);
            }
            group.tests.addAll(all);
            group.last = Math.max(
                    group.last,
                    all.stream().mapToInt(test -> piece(to.apply(test))).max().orElse(piece));
        });
        return List.copyOf(groups);
    }

    private int piece(Instant time) {
        return axis.piece(time, PIECES);
    }
}
