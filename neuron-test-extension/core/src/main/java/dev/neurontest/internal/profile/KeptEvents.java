package dev.neurontest.internal.profile;

import dev.neurontest.internal.json.JsonException;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.json.RecordWriter;
import dev.neurontest.profile.EventRow;
import dev.neurontest.profile.Grouping;
import dev.neurontest.profile.ProfileEvents;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The file format for events next to a baseline: {@code version}, {@code kind} ({@code event-shares}), {@code about}, {@code executionNs},
 * {@code spilledBytes}, and for each grouping an object with {@code ns}, {@code count} and {@code spilledBytes} of each name. Each name has
 * its own line to make changes visible in a review.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class KeptEvents {

    /** The kind of these files. */
    public static final String KIND = "event-shares";

    private static final int VERSION = 1;

    /** Maximum file size. The files are in version control, next to the baselines. */
    private static final int LARGEST = 100 << 10;

    private static final int MOST_NAMES = 200;
    private static final int FEWEST_NAMES = 10;

    /** Maximum length of a name. Longer names are truncated. */
    private static final int LONGEST_NAME = 160;

    private KeptEvents() {}

    /**
     * Writes events.
     *
     * @param events any number of names, without secrets
     * @return at most 100 KiB: up to 200 names of each grouping with the most time or spilled bytes; the rest is {@code (others)}
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

    /** Shortens a name at its beginning, because the end of a layer or line is more informative. */
    private static String cut(String name) {
        String cut = name.length() <= LONGEST_NAME ? name : "\u2026" + name.substring(name.length() - LONGEST_NAME + 1);
        // Half of a surrogate pair cannot be encoded in UTF-8.
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

    private record Content(
            int version,
            String kind,
            SortedMap<String, String> about,
            Optional<Long> executionNs,
            Optional<Long> spilledBytes,
            Map<String, Row> lines,
            Map<String, Row> layers,
            Map<String, Row> opcodes,
            Map<String, Row> engines,
            Map<String, Row> dmaQueues) {

        Content {
            requireInRange(executionNs.orElse(0L), spilledBytes.orElse(0L));
        }
    }

    private record Row(long ns, long count, Optional<Long> spilledBytes) {

        Row {
            requireInRange(ns, count, spilledBytes.orElse(0L));
        }
    }

    private static void requireInRange(long... numbers) {
        for (long number : numbers) {
            if (number < 0 || number > EventRow.MOST) {
                throw new IllegalArgumentException("has %s, expected 0 to %s".formatted(number, EventRow.MOST));
            }
        }
    }

    private static String text(ProfileEvents events) {
        return RecordWriter.lines(new Content(
                VERSION,
                KIND,
                events.about(),
                boxed(events.executionNanos()),
                boxed(events.spilledBytes()),
                rows(events, Grouping.LINE),
                rows(events, Grouping.LAYER),
                rows(events, Grouping.OPCODE),
                rows(events, Grouping.ENGINE),
                rows(events, Grouping.QUEUE)));
    }

    private static Map<String, Row> rows(ProfileEvents events, Grouping by) {
        Map<String, Row> rows = new LinkedHashMap<>();
        events.rows(by)
                .forEach(row -> rows.put(row.name(), new Row(row.nanos(), row.count(), boxed(row.spilledBytes()))));
        return rows;
    }

    private static Optional<Long> boxed(OptionalLong number) {
        return number.stream().boxed().findFirst();
    }

    private static OptionalLong unboxed(Optional<Long> number) {
        return number.stream().mapToLong(Long::longValue).findFirst();
    }

    /**
     * Reads events from the content of such a file.
     *
     * @param file the source of the content
     * @throws JsonException when the content has another form; it contains the place and the expected form
     */
    public static ProfileEvents read(Path file, byte[] content) {
        Content read = RecordReader.EXACT.read(content, KIND, VERSION, Content.class);
        List<EventRow> rows = new ArrayList<>();
        Map.of(
                        Grouping.LINE, read.lines,
                        Grouping.LAYER, read.layers,
                        Grouping.OPCODE, read.opcodes,
                        Grouping.ENGINE, read.engines,
                        Grouping.QUEUE, read.dmaQueues)
                .forEach((by, names) -> names.forEach(
                        (name, row) -> rows.add(new EventRow(by, name, row.ns, row.count, unboxed(row.spilledBytes)))));
        return new ProfileEvents(
                file, read.about, unboxed(read.executionNs), unboxed(read.spilledBytes), rows, List.of());
    }
}
