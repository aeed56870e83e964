package dev.neurontest.report.page;

import dev.neurontest.report.ReportedQuarantine;
import dev.neurontest.report.ReportedTest;
import dev.neurontest.report.TestOutcome;
import dev.neurontest.text.CountText;
import dev.neurontest.text.DurationText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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

    /** Where many tests are drawn as one, a piece of time is one of waiting if they waited for so much of it. */
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
        failed += CoreStory.isBad(test) ? 1 : 0;
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
                .filter(test -> CoreStory.leased(test).isAfter(test.started()))
                .toList();
        return waiting.size() <= MOST_BARS
                ? waiting.stream()
                        .filter(test -> axis.at(CoreStory.leased(test)) - axis.at(test.started()) >= LEAST_WAIT)
                        .map(this::wait)
                        .toList()
                : merged(waited(waiting), waiting, ReportedTest::started, CoreStory::leased, test -> TestOutcome.PASSED)
                        .stream()
                        .map(group -> group.bar("wait", " waited for cores", test -> ""))
                        .toList();
    }

    /** Pieces of time in which tests waited for a good part of it, all waits together. */
    private @Nullable TestOutcome[] waited(List<ReportedTest> waiting) {
        double[] parts = new double[PIECES];
        for (ReportedTest test : waiting) {
            double from = axis.at(test.started()) / 100 * PIECES;
            double to = axis.at(CoreStory.leased(test)) / 100 * PIECES;
            for (int i = (int) from; i < Math.min(PIECES, to); i++) {
                parts[i] += Math.min(i + 1, to) - Math.max(i, from);
            }
        }
        return Arrays.stream(parts)
                .mapToObj(part -> part < LEAST_WAITED ? null : TestOutcome.PASSED)
                .toArray(TestOutcome[]::new);
    }

    private Bar wait(ReportedTest test) {
        return bar(
                "wait",
                axis.at(test.started()),
                axis.at(CoreStory.leased(test)),
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
                : merged(worst(), runs(), CoreStory::leased, CoreStory::end, ReportedTest::outcome).stream()
                        .map(group -> group.bar(kind(group.worst), "", links))
                        .toList();
    }

    private List<ReportedTest> runs() {
        return tests.stream()
                .filter(test -> test.isTest() || CoreStory.isBad(test))
                .toList();
    }

    private Bar bar(ReportedTest test, String link) {
        double from = axis.at(CoreStory.leased(test));
        double least = kind(test.outcome()).equals("passed") ? LEAST_WIDTH : LEAST_WIDTH_OF_BAD;
        double width = Math.max(least, axis.at(CoreStory.end(test)) - from);
        String name = test.id().name();
        return new Bar(
                kind(test.outcome()),
                Math.min(from, 100 - width),
                width,
                "%s %s, %s to %s%s"
                        .formatted(
                                name,
                                test.outcome(),
                                TimeAxis.clock(CoreStory.leased(test)),
                                TimeAxis.clock(CoreStory.end(test)),
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

    /** Pieces of time side by side that are of the same kind, with the tests in them. */
    private static final class Group {

        private final int first;
        private int last;
        private TestOutcome worst;
        private final List<ReportedTest> decisive = new ArrayList<>();
        private int count;

        private Group(int first, TestOutcome worst) {
            this.first = first;
            this.last = first;
            this.worst = worst;
        }

        Bar bar(String kind, String what, Function<ReportedTest, String> links) {
            String tests = CountText.of(count, "test");
            double width = 100.0 * (last + 1 - first) / PIECES;
            String named = kind(worst).equals("passed")
                    ? ""
                    : decisive.stream()
                            .map(test -> test.id().name())
                            .limit(MOST_NAMED)
                            .collect(Collectors.joining(
                                    ", ",
                                    ", %s %s: ".formatted(decisive.size(), kind(worst)),
                                    decisive.size() > MOST_NAMED ? ", ..." : ""));
            return new Bar(
                    kind,
                    100.0 * first / PIECES,
                    width,
                    tests + what + named,
                    width < LEAST_NAMED || kind.equals("wait") ? "" : tests,
                    decisive.stream()
                            .map(links)
                            .filter(link -> !link.isEmpty())
                            .findFirst()
                            .orElse(""));
        }
    }

    private @Nullable TestOutcome[] worst() {
        @Nullable TestOutcome[] worst = new TestOutcome[PIECES];
        for (ReportedTest test : runs()) {
            for (int i = piece(CoreStory.leased(test)); i <= piece(CoreStory.end(test)); i++) {
                TestOutcome now = worst[i];
                worst[i] = now == null || test.outcome().compareTo(now) < 0 ? test.outcome() : now;
            }
        }
        return worst;
    }

    /** Each test counts in every group that it touches. */
    private List<Group> merged(
            @Nullable TestOutcome[] worst,
            List<ReportedTest> tests,
            Function<ReportedTest, Instant> from,
            Function<ReportedTest, Instant> to,
            Function<ReportedTest, TestOutcome> outcome) {
        List<Group> groups = new ArrayList<>();
        @Nullable Group[] groupAt = new Group[PIECES];
        for (int i = 0; i < PIECES; i++) {
            TestOutcome here = worst[i];
            if (here == null) {
                continue;
            }
            Group before = i == 0 ? null : groupAt[i - 1];
            if (before != null && kind(before.worst).equals(kind(here))) {
                before.last = i;
                before.worst = here.compareTo(before.worst) < 0 ? here : before.worst;
                groupAt[i] = before;
            } else {
                Group begun = new Group(i, here);
                groups.add(begun);
                groupAt[i] = begun;
            }
        }
        for (ReportedTest test : tests) {
            int last = piece(to.apply(test));
            for (int i = piece(from.apply(test)); i <= last; i++) {
                Group group = groupAt[i];
                if (group != null) {
                    group.count++;
                    if (kind(group.worst).equals(kind(outcome.apply(test)))) {
                        group.decisive.add(test);
                    }
                    i = group.last;
                }
            }
        }
        return groups;
    }

    private int piece(Instant time) {
        return axis.piece(time, PIECES);
    }
}
