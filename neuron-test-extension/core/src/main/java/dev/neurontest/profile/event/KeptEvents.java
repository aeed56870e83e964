package dev.neurontest.profile.event;

import dev.neurontest.json.Json;
import dev.neurontest.json.JsonException;
import dev.neurontest.json.JsonValue;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The text of events that are kept beside a baseline: {@code version}, {@code kind} ({@code event-shares}), {@code about}, {@code
 * executionNs}, {@code spilledBytes}, and for each grouping an object with {@code ns}, {@code count} and {@code spilledBytes} of each name.
 * Each name has a line of its own, so that a review shows what changed.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class KeptEvents {

    /** Marks such files. */
    public static final String KIND = "event-shares";

    private static final int VERSION = 1;

    /** Files are beside baselines in version control. */
    private static final int LARGEST = 100 << 10;

    private static final int MOST_NAMES = 200;
    private static final int FEWEST_NAMES = 10;

    /** Longer names are cut. */
    private static final int LONGEST_NAME = 160;

    private KeptEvents() {}

    /**
     * Writes events.
     *
     * @param events any number of names, without secrets
     * @return at most 100 KiB: those that took most time or spilled most are kept, 200 of each grouping or fewer, the rest is {@code
     *     (others)}
     */
    public static String write(ProfileEvents events) {
        ProfileEvents shortened = events.renamed(KeptEvents::cut);
        String text = text(atMost(shortened, MOST_NAMES));
        for (int names = MOST_NAMES / 2; size(text) > LARGEST && names >= FEWEST_NAMES; names /= 2) {
            text = text(atMost(shortened, names));
        }
        return text;
    }

    private static int size(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The end of a layer or line says more than its beginning. */
    private static String cut(String name) {
        String cut = name.length() <= LONGEST_NAME ? name : "\u2026" + name.substring(name.length() - LONGEST_NAME + 1);
        // A half of a character is none in UTF-8.
        return new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    static ProfileEvents atMost(ProfileEvents events, int names) {
        List<EventRow> rows = new ArrayList<>();
        for (Grouping by : Grouping.values()) {
            List<EventRow> named =
                    events.rows(by).stream().filter(EventRow::isNamed).toList();
            Set<EventRow> kept = named.stream().limit(names).collect(Collectors.toSet());
            named.stream()
                    .filter(row -> row.spilledBytes().orElse(0) > 0)
                    .sorted(Comparator.comparingLong(
                                    (EventRow row) -> row.spilledBytes().orElse(0))
                            .reversed())
                    .limit(names / 4)
                    .forEach(kept::add);
            events.rows(by)
                    .forEach(row -> rows.add(row.isNamed() && !kept.contains(row) ? row.named(EventRow.OTHERS) : row));
        }
        return events.with(ProfileEvents.merged(rows));
    }

    private static String text(ProfileEvents events) {
        StringJoiner members = new StringJoiner(",\n  ", "{\n  ", "\n}\n");
        members.add("\"version\": " + VERSION);
        members.add("\"kind\": \"" + KIND + "\"");
        StringJoiner about = new StringJoiner(", ", "\"about\": {", "}");
        events.about().forEach((name, value) -> about.add(quoted(name) + ": " + quoted(value)));
        members.add(about.toString());
        events.executionNanos().ifPresent(nanos -> members.add("\"executionNs\": " + nanos));
        events.spilledBytes().ifPresent(bytes -> members.add("\"spilledBytes\": " + bytes));
        for (Grouping by : Grouping.values()) {
            StringJoiner names = new StringJoiner(",\n    ", "{\n    ", "\n  }").setEmptyValue("{}");
            events.rows(by).forEach(row -> names.add(quoted(row.name()) + ": " + text(row)));
            members.add(quoted(by.member()) + ": " + names);
        }
        return members.toString();
    }

    private static String text(EventRow row) {
        return "{\"ns\": %s, \"count\": %s%s}"
                .formatted(
                        row.nanos(),
                        row.count(),
                        row.spilledBytes().isPresent()
                                ? ", \"spilledBytes\": " + row.spilledBytes().getAsLong()
                                : "");
    }

    private static String quoted(String text) {
        return Json.text(json -> json.writeString(text));
    }

    /**
     * Reads what was written.
     *
     * @param file where it is from
     * @param content of the file
     * @return the events
     * @throws JsonException when it is something else; it says where, and what was expected
     */
    public static ProfileEvents read(Path file, byte[] content) {
        JsonValue whole = JsonValue.parse(content);
        int version = whole.get("version").positive();
        if (version != VERSION) {
            throw whole.get("version")
                    .unexpected("is %s, written by a newer version".formatted(version), String.valueOf(VERSION));
        }
        if (!whole.get("kind").text().equals(KIND)) {
            throw whole.get("kind").unexpected("\"" + KIND + "\"");
        }
        TreeMap<String, String> about = new TreeMap<>();
        whole.get("about").object().forEach((name, value) -> about.put(name, value.text()));
        List<EventRow> rows = new ArrayList<>();
        for (Grouping by : Grouping.values()) {
            whole.get(by.member()).object().forEach((name, row) -> rows.add(row(by, name, row)));
        }
        return new ProfileEvents(
                file, about, optional(whole, "executionNs"), optional(whole, "spilledBytes"), rows, List.of());
    }

    private static EventRow row(Grouping by, String name, JsonValue row) {
        row.onlyWith(List.of("ns", "count", "spilledBytes"));
        return new EventRow(by, name, whole(row.get("ns")), whole(row.get("count")), optional(row, "spilledBytes"));
    }

    private static OptionalLong optional(JsonValue object, String name) {
        return object.find(name).map(value -> OptionalLong.of(whole(value))).orElse(OptionalLong.empty());
    }

    private static long whole(JsonValue value) {
        BigInteger number = value.unsigned();
        if (number.compareTo(BigInteger.valueOf(EventRow.MOST)) > 0) {
            throw value.unexpected("is " + number, "at most " + EventRow.MOST);
        }
        return number.longValue();
    }
}
