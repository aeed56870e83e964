package dev.neurontest.profile.event;

import dev.neurontest.text.DurationText;
import dev.neurontest.text.TextTable;
import dev.neurontest.text.VisibleText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Writes the lines that {@link ProfileEvents#toText()} documents. */
final class ProfileEventsText {

    private static final int ROWS = 20;

    private final ProfileEvents events;
    private final StringBuilder text = new StringBuilder();

    private ProfileEventsText(ProfileEvents events) {
        this.events = events;
    }

    static String of(ProfileEvents events) {
        ProfileEventsText text = new ProfileEventsText(events);
        text.write();
        return text.text.toString();
    }

    private void write() {
        line("Events of " + VisibleText.line(events.file().toString()));
        line(events.instructions().toString());
        line(events.dma().toString());
        if (events.instructions().count() > 0) {
            table("engine", events.byEngine());
            table("opcode", events.byOpcode());
            if (!events.byLine().keySet().equals(Set.of(EventNames.NONE))) {
                table("source line", events.byLine());
            }
            longest(events.longest());
            queries();
        }
        lines("warnings of the tool", events.warnings());
        lines("notices", events.notices());
    }

    private void table(String what, Map<String, EventSummary> summaries) {
        boolean spilled = events.instructions().spilledBytes().isPresent();
        TextTable table = spilled
                ? new TextTable(">total", ">share", ">count", ">p50", ">p99", ">max", ">spilled", what)
                : new TextTable(">total", ">share", ">count", ">p50", ">p99", ">max", what);
        Duration all = events.instructions().total();
        summaries.entrySet().stream().limit(ROWS).forEach(entry -> {
            EventSummary summary = entry.getValue();
            List<String> row = new ArrayList<>(List.of(
                    DurationText.exact(summary.total()),
                    all.isZero() ? "-" : percent(ProfileEvents.share(summary.total(), all)),
                    String.format(Locale.ROOT, "%,d", summary.count()),
                    DurationText.exact(summary.percentile(50)),
                    DurationText.exact(summary.percentile(99)),
                    DurationText.exact(summary.max())));
            if (spilled) {
                row.add(bytes(summary.spilledBytes()));
            }
            row.add(VisibleText.line(entry.getKey()));
            table.row(row.toArray(String[]::new));
        });
        line("");
        text.append(table);
        if (summaries.size() > ROWS) {
            line(String.format(Locale.ROOT, "... and %,d more", summaries.size() - ROWS));
        }
    }

    private void longest(List<InstructionEvent> longest) {
        TextTable table = new TextTable(">longest", ">at", ">engine", ">opcode", "layer, HLO operation and operands");
        for (InstructionEvent event : longest) {
            table.row(
                    DurationText.exact(event.duration()),
                    event.timestampNanos().isPresent()
                            ? String.format(
                                    Locale.ROOT,
                                    "%,d ns",
                                    event.timestampNanos().getAsLong())
                            : "-",
                    VisibleText.line(event.engine()),
                    VisibleText.line(event.opcode()),
                    VisibleText.line("%s %s %s"
                            .formatted(event.layer(), event.hloName(), event.operands())
                            .strip()));
        }
        line("");
        text.append(table);
    }

    private void queries() {
        line("");
        events.queries().forEach((name, query) -> {
            EventSummary found = events.matching(name);
            line(String.format(
                    Locale.ROOT,
                    "%s: %s of the instruction time in %,d instructions (%s)",
                    VisibleText.line(name),
                    events.hasShareOfTime(query) ? percent(events.shareOfTime(name)) : "no share",
                    found.count(),
                    VisibleText.line(query.toString())));
        });
    }

    private static String bytes(OptionalLong bytes) {
        return bytes.isPresent() ? String.format(Locale.ROOT, "%,d B", bytes.getAsLong()) : "-";
    }

    private static String percent(double fraction) {
        return String.format(Locale.ROOT, "%.1f %%", fraction * 100);
    }

    private void lines(String heading, List<String> lines) {
        if (!lines.isEmpty()) {
            line("");
            line(heading + ":");
            lines.forEach(each -> line("  " + VisibleText.line(each)));
        }
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
