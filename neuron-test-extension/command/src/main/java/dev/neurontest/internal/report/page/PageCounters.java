package dev.neurontest.internal.report.page;

import dev.neurontest.counter.CounterUnit;
import dev.neurontest.internal.counter.ParsedCounters;
import dev.neurontest.internal.report.show.Limits;
import dev.neurontest.internal.report.show.ReportPart;
import dev.neurontest.internal.text.CountText;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The changes of counters during a test, with errors and violated expectations first.
 *
 * @param isOfCluster true if other counters of the test are those of a host of a cluster
 */
record PageCounters(ParsedCounters counters, boolean isOfCluster) {

    private static final int MOST = 12;

    /** A counter that changed. */
    record Row(ParsedCounters.Change change) {

        private static final String MEMORY = "memory_usage/";

        /** Returns the folder of the counter. The names of its counters repeat it, therefore a narrow screen omits it. */
        String folder() {
            return whole().startsWith(MEMORY) ? MEMORY : "";
        }

        String name() {
            return whole().substring(folder().length());
        }

        private String whole() {
            return change.subject().substring(change.place().length() + 1);
        }

        String before() {
            return unit().value(change.before());
        }

        String after() {
            return unit().value(change.after());
        }

        private CounterUnit unit() {
            return CounterUnit.ofSymbol(change.unit());
        }

        boolean bad() {
            return change.isBad();
        }
    }

    /** The counters of a core or device that changed. */
    record Place(String name, List<Row> rows) {}

    /** A table of counters. */
    record Table(String caption, String count, List<Row> rows) {

        boolean some() {
            return !rows.isEmpty();
        }

        List<Place> places() {
            return rows.stream()
                    .collect(
                            Collectors.groupingBy(row -> row.change().place(), LinkedHashMap::new, Collectors.toList()))
                    .entrySet()
                    .stream()
                    .map(each -> new Place(each.getKey(), each.getValue()))
                    .toList();
        }
    }

    private static List<Row> rows(List<ParsedCounters.Change> changes) {
        return changes.stream().map(Row::new).toList();
    }

    private List<Row> inOrder() {
        return rows(counters.moved().stream()
                .sorted(Comparator.comparing(change -> !change.isBad()))
                .toList());
    }

    /** Returns the host of a cluster after the word "on"; empty for the host of the JVM. A recording without changes has no host. */
    String place() {
        return counters.hostOfCluster().map(" on "::concat).orElse(isOfCluster ? " on the other hosts" : "");
    }

    boolean moved() {
        return !counters.moved().isEmpty();
    }

    Table first() {
        return new Table(
                "Counters that changed" + place(),
                "",
                inOrder().stream().limit(MOST).toList());
    }

    Table rest() {
        List<Row> remaining = inOrder().stream().skip(MOST).toList();
        return new Table("", CountText.of(remaining.size(), "more counter"), remaining);
    }

    Table foreign() {
        int count = counters.foreign().size();
        return new Table(
                "",
                count == 1 ? "1 counter of another core" : count + " counters of other cores",
                rows(counters.foreign()));
    }

    List<ReportPart> lines() {
        return List.of(
                ReportPart.of("The host", counters.remarks().orElse(List.of()), Limits.PAGE),
                ReportPart.of(
                        "Not readable",
                        counters.unreadable().stream()
                                .map(ParsedCounters.Unreadable::message)
                                .toList(),
                        Limits.PAGE),
                ReportPart.of("On the same devices at the same time", counters.neighbours(), Limits.PAGE));
    }
}
