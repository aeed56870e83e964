package dev.neurontest.profile.system;

import dev.neurontest.json.Json;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.ToolRun;
import dev.neurontest.text.DurationText;
import dev.neurontest.text.TextTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** A system profile for a person, and for a program. */
final class SystemProfileText {

    private static final int VERSION = 1;
    private static final int MOST_NAMES = 100;

    /** Characters of a row of the timeline. */
    private static final int WIDTH = 60;

    private static final String MARKS = "#=+*o~";

    private SystemProfileText() {}

    static String of(SystemProfile profile) {
        StringBuilder text = new StringBuilder(
                "System profile of %s by %s\n%s\n".formatted(profile.title(), profile.tool(), profile.folder()));
        list(text, "In doubt", profile.doubts().stream().map(Doubt::reason).toList());
        list(text, "Noticed", profile.notices());
        list(text, "Host", host(profile.host()));
        if (profile.events().isEmpty()) {
            return text.append("\nNo events.\n").toString();
        }
        timeline(text, profile);
        TextTable table = new TextTable("event", "on", ">count", ">p50", ">p99", ">longest", ">in all");
        profile.events().stream()
                .limit(MOST_NAMES)
                .forEach(each -> table.row(
                        each.name(),
                        each.onDevice() ? "device" : "host",
                        String.format(Locale.ROOT, "%,d", each.count()),
                        DurationText.exact(each.p50()),
                        DurationText.exact(each.p99()),
                        DurationText.exact(each.max()),
                        DurationText.exact(each.total())));
        text.append('\n').append(table);
        more(text, profile.events().size() - MOST_NAMES, "names");
        for (ToolRun run : profile.runs()) {
            text.append("\n--- %s (%s after %s) ---\n"
                    .formatted(String.join(" ", run.command()), run.end(), Quantity.of(run.took(), Unit.SECONDS)));
            text.append(run.log());
        }
        return text.toString();
    }

    private static void list(StringBuilder text, String title, List<String> lines) {
        if (!lines.isEmpty()) {
            text.append('\n').append(title).append(":\n");
            lines.forEach(line -> text.append("  ").append(line).append('\n'));
        }
    }

    private static void more(StringBuilder text, long count, String what) {
        if (count > 0) {
            text.append(String.format(Locale.ROOT, "and %,d more %s\n", count, what));
        }
    }

    static List<String> host(HostUse use) {
        List<String> lines = new ArrayList<>();
        use.cpuMean()
                .ifPresent(mean -> lines.add("CPU use, in the numbers of the tool: mean %s, most of one CPU %s"
                        .formatted(plain(mean), plain(use.cpuMost().orElse(mean)))));
        use.mostMemory()
                .ifPresent(bytes -> lines.add("memory in use: at most %s".formatted(new Quantity(bytes, Unit.BYTES))));
        return lines;
    }

    private static String plain(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** A mark for each piece of the time in which something ran: that of the shortest event, which lies above the others. */
    private static void timeline(StringBuilder text, SystemProfile profile) {
        Timeline timeline = profile.read().timeline();
        List<String> names = legend(profile);
        long span = Math.max(1, timeline.end() - timeline.start());
        TextTable table = new TextTable("", ">events", "over " + DurationText.exact(Duration.ofNanos(span)));
        for (Timeline.Lane lane : timeline.lanes()) {
            char[] marks = new char[WIDTH];
            Arrays.fill(marks, '.');
            for (Timeline.Bar bar : lane.bars()) {
                int from = (int) ((double) (bar.start() - timeline.start()) / span * (WIDTH - 1));
                int to = (int) ((double) (bar.end() - timeline.start()) / span * (WIDTH - 1));
                int name = names.indexOf(bar.name());
                Arrays.fill(marks, from, to + 1, name < 0 ? '-' : MARKS.charAt(name));
            }
            table.row(lane.name(), String.format(Locale.ROOT, "%,d", lane.events()), new String(marks));
        }
        text.append('\n').append(table);
        more(text, timeline.more(), "cores and threads");
        for (int i = 0; i < names.size(); i++) {
            text.append(i == 0 ? "" : "  ").append(MARKS.charAt(i)).append(' ').append(names.get(i));
        }
        text.append(profile.events().size() > names.size() ? "  - other\n" : "\n");
    }

    /** The names that have a mark, or a colour, of their own: the device's first, then by the time that they took. */
    static List<String> legend(SystemProfile profile) {
        return profile.events().stream()
                .sorted((some, other) -> Boolean.compare(other.onDevice(), some.onDevice()))
                .limit(MARKS.length())
                .map(EventTimes::name)
                .toList();
    }

    static String json(SystemProfile profile) {
        return Json.text(json -> {
            json.writeStartObject();
            json.writeNumberProperty("version", VERSION);
            json.writeStringProperty("kind", profile.kind());
            json.writeStringProperty("title", profile.title());
            json.writeStringProperty("tool", profile.tool());
            json.writeStringProperty("folder", profile.folder().toString());
            profile.tablesFolder().ifPresent(tables -> json.writeStringProperty("tables", tables.toString()));
            json.writeArrayPropertyStart("doubts");
            for (Doubt doubt : profile.doubts()) {
                json.writeStartObject();
                json.writeStringProperty("kind", doubt.kind().name().toLowerCase(Locale.ROOT));
                json.writeStringProperty("reason", doubt.reason());
                json.writeEndObject();
            }
            json.writeEndArray();
            Json.strings(json, "notices", profile.notices());
            host(json, profile.host());
            json.writeArrayPropertyStart("events");
            profile.events().forEach(each -> event(json, each));
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void host(JsonGenerator json, HostUse use) {
        if (use.equals(HostUse.UNKNOWN)) {
            return;
        }
        json.writeName("host");
        json.writeStartObject();
        use.cpuMean().ifPresent(mean -> json.writeNumberProperty("cpuMean", mean));
        use.cpuMost().ifPresent(most -> json.writeNumberProperty("cpuMost", most));
        use.mostMemory().ifPresent(bytes -> json.writeNumberProperty("mostMemoryBytes", bytes));
        json.writeEndObject();
    }

    private static void event(JsonGenerator json, EventTimes event) {
        json.writeStartObject();
        json.writeStringProperty("name", event.name());
        json.writeStringProperty("place", event.onDevice() ? "device" : "host");
        json.writeNumberProperty("count", event.count());
        json.writeNumberProperty("totalNanos", event.total().toNanos());
        json.writeNumberProperty("p50Nanos", event.p50().toNanos());
        json.writeNumberProperty("p99Nanos", event.p99().toNanos());
        json.writeNumberProperty("maxNanos", event.max().toNanos());
        json.writeEndObject();
    }
}
