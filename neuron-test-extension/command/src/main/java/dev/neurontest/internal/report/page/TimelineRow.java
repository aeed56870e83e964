package dev.neurontest.internal.report.page;

import dev.neurontest.internal.report.ReportedCore;
import dev.neurontest.internal.report.ReportedQuarantine;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.ListText;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A row of the timeline for a core or a whole device: tests, waits, errors and quarantines. */
final class TimelineRow {

    /** Maximum number of tests that are drawn separately. With more tests, neighbours are drawn as one. */
    static final int MOST_BARS = 60;

    /** Number of pieces of the time axis for grouping tests and errors. */
    static final int PIECES = 120;

    /** Least width of a bar in percent. A narrower bar would be invisible on a phone, and failures must be visible. */
    private static final double LEAST_WIDTH = 0.4;

    private static final double LEAST_WIDTH_OF_BAD = 1;

    /** Least length of a drawn wait in percent. A shorter wait is only mentioned at its test. */
    private static final double LEAST_WAIT = 0.2;

    /** Least share of waiting time in a group of waits that is drawn. */
    private static final double LEAST_WAITED = 0.1;

    /** Least width of a bar with a name in percent. A name in a narrower bar would be unreadable. */
    private static final double LEAST_NAMED = 5;

    private static final int MOST_NAMED = 3;
    private static final int MOST_ERRORS = 20;

    private final ReportedCore core;
    private final TimeAxis axis;
    private final Function<ReportedTest, String> links;
    private final List<ReportedTest> tests = new ArrayList<>();
    private final List<ReportedQuarantine> quarantines = new ArrayList<>();
    private final Map<Integer, List<String>> errors = new TreeMap<>();
    private int failed;
    private long moved;

    /**
     * Creates an empty row.
     *
     * @param links returns the link to the details of a test; empty without details
     */
    TimelineRow(ReportedCore core, TimeAxis axis, Function<ReportedTest, String> links) {
        this.core = core;
        this.axis = axis;
        this.links = links;
    }

    ReportedCore core() {
        return core;
    }

    /** Adds a test. A class that leases cores for its tests is added for its wait, and for its own failure. */
    void ran(ReportedTest test) {
        tests.add(test);
        failed += test.hasFailed() ? 1 : 0;
    }

    void moved(Instant at, String what) {
        List<String> texts = errors.computeIfAbsent(piece(at), none -> new ArrayList<>());
        if (texts.size() < MOST_ERRORS) {
            texts.add(what);
        }
        moved++;
    }

    void kept(ReportedQuarantine quarantine) {
        quarantines.add(quarantine);
    }

    /** Checks whether the row contains a failure, an error or a quarantine. */
    boolean isBad() {
        return failed > 0 || moved > 0 || !quarantines.isEmpty();
    }

    /** Checks whether the row belongs to a whole device, without tests of its own. */
    boolean isThin() {
        return tests.isEmpty() && quarantines.isEmpty();
    }

    String description() {
        String wrong = (failed == 0 ? "" : failed + " failed")
                + (failed == 0 || moved == 0 ? "" : ", ")
                + (moved == 0 ? "" : CountText.of(moved, "error"));
        return wrong.isEmpty() ? CountText.of(runs().size(), "test") : wrong;
    }

    /**
     * A rectangle.
     *
     * @param kind CSS class of the rectangle
     * @param x left position in percent
     * @param width width in percent
     * @param description description
     * @param name name inside the rectangle; empty when it would not fit
     * @param link link to the details; empty without details
     * @param nameX left position of the name, in percent
     * @param nameWidth width of the name, in percent
     */
    record Bar(
            String kind,
            double x,
            double width,
            String description,
            String name,
            String link,
            double nameX,
            double nameWidth) {

        double end() {
            return x + width;
        }

        /** Returns a copy with the name where no bar in front covers it. */
        Bar behind(List<Bar> front) {
            double from = front.stream()
                    .filter(each -> each.x <= x)
                    .mapToDouble(Bar::end)
                    .reduce(x, Math::max);
            double to =
                    front.stream().mapToDouble(Bar::x).filter(each -> each > x).reduce(end(), Math::min);
            return new Bar(kind, x, width, description, to - from < LEAST_NAMED ? "" : name, link, from, to - from);
        }
    }

    /** Errors at one position. */
    record ErrorMark(double x, String description) {}

    List<ErrorMark> errors() {
        return errors.entrySet().stream()
                .map(each -> new ErrorMark(100 * (each.getKey() + 0.5) / PIECES, String.join("\n", each.getValue())))
                .toList();
    }

    List<Bar> quarantines() {
        return quarantines.stream()
                .map(each -> bar(
                        new Group("quarantine", TestOutcome.PASSED, axis.at(each.at()), 100, List.of()),
                        "%s since %s: %s".formatted(each.state(), TimeAxis.clock(each.at()), each.reason()),
                        "",
                        ""))
                .toList();
    }

    /** Returns the waits. They are drawn first, and are visible below the tests and between them. */
    List<Bar> waits() {
        List<ReportedTest> waiting = tests.stream()
                .filter(test -> test.leased().isAfter(test.started()))
                .toList();
        return groups(waiting, ReportedTest::started, ReportedTest::leased, any -> "wait").stream()
                .filter(group ->
                        group.tests().stream().mapToDouble(this::waited).sum()
                                >= Math.max(LEAST_WAIT, LEAST_WAITED * (group.end() - group.start())))
                .map(group -> bar(
                        group,
                        "%s waited %sfor cores"
                                .formatted(
                                        group.subject(),
                                        group.single()
                                                .map(test -> DurationText.of(test.waited()) + " ")
                                                .orElse("")),
                        "",
                        ""))
                .toList();
    }

    /** Returns the part of the run for which a test waited, in percent. */
    private double waited(ReportedTest test) {
        return axis.at(test.leased()) - axis.at(test.started());
    }

    /** Returns the bars of the tests; failed ones are drawn in front of others. */
    List<Bar> bars() {
        List<Bar> bars = groups(runs(), ReportedTest::leased, ReportedTest::ended, TimelineRow::kind).stream()
                .sorted(Comparator.comparing(
                                (Group group) -> group.tests().stream().anyMatch(ReportedTest::isTest))
                        .thenComparing(Group::worst, Comparator.reverseOrder()))
                .map(this::bar)
                .toList();
        return IntStream.range(0, bars.size())
                .mapToObj(index -> bars.get(index).behind(bars.subList(index + 1, bars.size())))
                .toList();
    }

    private List<ReportedTest> runs() {
        return tests.stream()
                .filter(test -> test.isTest() || test.hasFailed())
                .sorted(Comparator.comparing(ReportedTest::started))
                .toList();
    }

    private Bar bar(Group group) {
        List<ReportedTest> decisive = group.tests().stream()
                .filter(test -> kind(test.outcome()).equals(group.kind()))
                .toList();
        List<String> names = decisive.stream().map(test -> test.id().name()).toList();
        String wrong = group.kind().equals("passed")
                ? ""
                : ", %s %s: %s".formatted(names.size(), group.kind(), ListText.some(names, MOST_NAMED));
        String description = group.single().map(TimelineRow::description).orElse(group.subject() + wrong);
        String link = decisive.stream()
                .map(links)
                .filter(any -> !any.isEmpty())
                .findFirst()
                .orElse("");
        return bar(group, description, group.subject().replaceFirst(".* > ", ""), link);
    }

    private static String description(ReportedTest test) {
        return "%s %s, %s to %s%s"
                .formatted(
                        test.id().name(),
                        test.outcome(),
                        TimeAxis.clock(test.leased()),
                        TimeAxis.clock(test.ended()),
                        test.waited().isZero() ? "" : ", waited " + DurationText.of(test.waited()));
    }

    private static Bar bar(Group group, String description, String name, String link) {
        double least = Set.of("failed", "undecided").contains(group.kind()) ? LEAST_WIDTH_OF_BAD : LEAST_WIDTH;
        double width = Math.max(least, group.end() - group.start());
        return new Bar(group.kind(), Math.min(group.start(), 100 - width), width, description, name, link, 0, 0);
    }

    private static String kind(TestOutcome worst) {
        return switch (worst) {
            case FAILED, LOST -> "failed";
            case UNDECIDED, ABORTED -> "undecided";
            case SKIPPED, PASSED -> "passed";
        };
    }

    /** A test, or neighbours that are drawn as one; positions in percent. */
    private record Group(String kind, TestOutcome worst, double start, double end, List<ReportedTest> tests) {

        Optional<ReportedTest> single() {
            return tests.size() == 1 ? Optional.of(tests.get(0)) : Optional.empty();
        }

        String subject() {
            return single().map(test -> test.id().name()).orElseGet(() -> CountText.of(tests.size(), "test"));
        }

        Group with(Group next) {
            List<ReportedTest> all = new ArrayList<>(tests);
            all.addAll(next.tests);
            return new Group(kind, worst, start, Math.max(end, next.end), all);
        }
    }

    /**
     * Groups tests for drawing. Few tests have a group each. Of many tests, those of the same piece of time are grouped, and then
     * neighbouring groups of the same kind.
     */
    private List<Group> groups(
            List<ReportedTest> tests,
            Function<ReportedTest, Instant> from,
            Function<ReportedTest, Instant> to,
            Function<TestOutcome, String> kinds) {
        if (tests.size() <= MOST_BARS) {
            return tests.stream()
                    .map(test -> new Group(
                            kinds.apply(test.outcome()),
                            test.outcome(),
                            axis.at(from.apply(test)),
                            axis.at(to.apply(test)),
                            List.of(test)))
                    .toList();
        }
        double piece = 100.0 / PIECES;
        Deque<Group> groups = new ArrayDeque<>();
        tests.stream()
                .collect(Collectors.groupingBy(test -> piece(from.apply(test)), TreeMap::new, Collectors.toList()))
                .forEach((first, all) -> {
                    TestOutcome worst = Collections.min(
                            all.stream().map(ReportedTest::outcome).toList());
                    int last = all.stream()
                            .mapToInt(test -> piece(to.apply(test)))
                            .max()
                            .orElse(first);
                    Group next = new Group(kinds.apply(worst), worst, first * piece, (last + 1) * piece, all);
                    Group before = groups.peekLast();
                    if (before != null && before.kind().equals(next.kind()) && before.end() >= next.start()) {
                        groups.removeLast();
                        next = before.with(next);
                    }
                    groups.add(next);
                });
        return List.copyOf(groups);
    }

    private int piece(Instant time) {
        return axis.piece(time, PIECES);
    }
}
