package dev.neurontest.profile;

import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.TextTable;
import dev.neurontest.internal.text.VisibleText;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** Writer of the lines that {@link ProfileEvents#toText()} documents. */
final class ProfileEventsText {

    private static final int ROWS = 20;

    private ProfileEventsText() {}

    static String of(ProfileEvents events) {
        StringBuilder text = new StringBuilder();
        text.append("Events of %s\n".formatted(VisibleText.line(events.path().toString())));
        total(text, "instructions", events, Grouping.ENGINE);
        total(text, "DMA transfers", events, Grouping.QUEUE);
        for (Grouping by : List.of(Grouping.ENGINE, Grouping.OPCODE, Grouping.LINE)) {
            List<EventRow> rows = events.rows(by);
            if (by != Grouping.LINE ? !rows.isEmpty() : rows.stream().anyMatch(EventRow::isNamed)) {
                text.append('\n').append(table(by, rows, events.nanos(by)));
                text.append(
                        rows.size() > ROWS ? String.format(Locale.ROOT, "... and %,d more%n", rows.size() - ROWS) : "");
            }
        }
        if (!events.notices().isEmpty()) {
            text.append("\nnotices:\n");
            events.notices()
                    .forEach(notice ->
                            text.append("  ").append(VisibleText.line(notice)).append('\n'));
        }
        return text.toString();
    }

    private static void total(StringBuilder text, String title, ProfileEvents events, Grouping by) {
        text.append(String.format(Locale.ROOT, "%s: %,d, total %s%n", title, events.count(by), time(events.nanos(by))));
    }

    private static TextTable table(Grouping by, List<EventRow> rows, long total) {
        TextTable table = new TextTable(">total", ">share", ">count", ">p50", ">p99", ">max", ">spilled", by.word());
        rows.stream()
                .limit(ROWS)
                .forEach(row -> table.row(
                        time(row.nanos()),
                        total == 0 ? "-" : String.format(Locale.ROOT, "%.1f %%", 100.0 * row.nanos() / total),
                        String.format(Locale.ROOT, "%,d", row.count()),
                        percentile(row, EventRow.Percentiles::median),
                        percentile(row, EventRow.Percentiles::p99),
                        percentile(row, EventRow.Percentiles::longest),
                        bytes(row.spilledBytes()),
                        VisibleText.line(row.name())));
        return table;
    }

    private static String percentile(EventRow row, ToLongFunction<EventRow.Percentiles> selector) {
        Optional<EventRow.Percentiles> percentiles = row.percentiles();
        return percentiles.isPresent() ? time(selector.applyAsLong(percentiles.get())) : "-";
    }

    private static String bytes(OptionalLong bytes) {
        return bytes.isPresent() ? String.format(Locale.ROOT, "%,d B", bytes.getAsLong()) : "-";
    }

    private static String time(long nanos) {
        return DurationText.exact(Duration.ofNanos(nanos));
    }
}
