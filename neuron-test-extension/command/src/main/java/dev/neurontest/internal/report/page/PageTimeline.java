package dev.neurontest.internal.report.page;

import dev.neurontest.internal.counter.ParsedCounters;
import dev.neurontest.internal.report.ReportedCore;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.text.CountText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A timeline of the cores: their tests, the waits for them, and the error counters that changed. */
final class PageTimeline {

    /** Maximum number of drawn rows. A larger chart would be unreadable; the tables below it contain all rows. */
    static final int MOST_ROWS = 40;

    private static final int MOST_ERRORS = 100;

    private final CoreStory story;
    private final Function<ReportedTest, String> links;
    private final TimeAxis axis;
    private final Map<ReportedCore, TimelineRow> rows = new HashMap<>();

    /** Cores by the names in counters. A logical core has several such names. */
    private final Map<ReportedCore, ReportedCore> places = new HashMap<>();

    private final List<MovedError> errors = new ArrayList<>();

    /**
     * Creates a timeline over the time of the run.
     *
     * @param links returns the link to the details of a test; empty without details
     */
    PageTimeline(RunReport report, CoreStory story, Function<ReportedTest, String> links) {
        this.story = story;
        this.links = links;
        this.axis = TimeAxis.of(report.executions().toList());
        story.uses().stream()
                .map(CoreStory::core)
                .forEach(core -> core.places().forEach(place -> places.put(place, core)));
        report.executions().forEach(this::add);
        report.quarantines()
                .forEach(each -> row(new ReportedCore(each.host(), each.core())).kept(each));
    }

    /**
     * An error counter that changed while a test ran.
     *
     * @param host host of a cluster with the counter; empty for the host of the JVM
     */
    record MovedError(ReportedTest test, Optional<String> host, ParsedCounters.Change change) {

        static List<MovedError> of(ReportedTest test) {
            return test.recordings().stream()
                    .filter(each -> each.kind().equals(ParsedCounters.KIND))
                    .map(each -> ParsedCounters.of(each.recording()))
                    .flatMap(counters -> counters.moved().stream()
                            .filter(ParsedCounters.Change::error)
                            .map(change -> new MovedError(test, counters.hostOfCluster(), change)))
                    .toList();
        }

        String subject() {
            return host.map(name -> name + ": ").orElse("") + change.subject();
        }

        Instant at() {
            return test.ended();
        }
    }

    private TimelineRow row(ReportedCore core) {
        return rows.computeIfAbsent(core, absent -> new TimelineRow(absent, axis, links));
    }

    private void add(ReportedTest test) {
        story.cores(test).stream().distinct().forEach(core -> row(core).ran(test));
        MovedError.of(test).forEach(this::add);
    }

    /** Adds an error. A counter of a whole device has its own row, because it belongs to no core. */
    private void add(MovedError error) {
        errors.add(error);
        ReportedCore place = new ReportedCore(
                error.host().orElseGet(() -> story.host(error.test())),
                error.change().place());
        row(places.getOrDefault(place, place))
                .moved(
                        error.at(),
                        "%s %s, %s"
                                .formatted(
                                        error.change().subject(),
                                        error.change().change(),
                                        error.test().id().name()));
    }

    /** A row, with the host if it is the first row of that host. */
    record Drawn(String host, TimelineRow row) {}

    List<Drawn> rows() {
        Comparator<TimelineRow> byNumber = Comparator.comparing(TimelineRow::core, ReportedCore.BY_NUMBER);
        List<Drawn> drawn = new ArrayList<>();
        rows.values().stream()
                .sorted(Comparator.comparing((TimelineRow row) -> !row.isBad()).thenComparing(byNumber))
                .limit(MOST_ROWS)
                .sorted(byNumber)
                .collect(Collectors.groupingBy(row -> row.core().host(), LinkedHashMap::new, Collectors.toList()))
                .forEach((host, all) -> all.forEach(row -> drawn.add(new Drawn(row == all.get(0) ? host : "", row))));
        return drawn;
    }

    TimeAxis axis() {
        return axis;
    }

    /** Returns a sentence about omitted rows; empty when all rows are drawn. */
    String notDrawn() {
        int count = rows.size() - MOST_ROWS;
        long bad = rows.values().stream().filter(TimelineRow::isBad).count() - MOST_ROWS;
        if (count <= 0) {
            return "";
        }
        return "%s more, %s with a failure, an error or a quarantine: see the table of cores."
                .formatted(CountText.of(count, "row"), bad > 0 ? bad + " of them" : "none of them");
    }

    List<MovedError> movedErrors() {
        return errors.stream()
                .sorted(Comparator.comparing(MovedError::at))
                .limit(MOST_ERRORS)
                .toList();
    }

    int moreErrors() {
        return Math.max(0, errors.size() - MOST_ERRORS);
    }
}
