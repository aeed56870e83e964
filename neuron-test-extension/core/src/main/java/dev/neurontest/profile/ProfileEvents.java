package dev.neurontest.profile;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/**
 * The times and bytes of the events of one execution: a row for each source line, layer, opcode, engine and DMA queue.
 *
 * <p>The rows come from one of two sources. The full JSON of the profiler ({@code view --output-format json}) is read once, with memory
 * that does not depend on the file size. The Parquet tables ({@code Instruction}, {@code DmaPacket}) are summed by DuckDB. Both give the
 * same rows, with two differences. Names are those that the tool writes: an engine may be {@code Tensor} in the tables and
 * {@code TensorMatrix} in the full JSON. If there are too many names, the tables keep those with the most time, and the full JSON keeps
 * those that come first.
 *
 * <p>Sums over instructions count time more than once when engines overlap. DMA transfers may be recorded twice or not at all. The summary
 * contains the times and bytes of the whole execution.
 *
 * @param path the file, or the folder of the tables
 * @param about properties that must match in a comparison, such as {@code tool}, {@code instance} and {@code schema}; unknown ones are
 *     absent
 * @param executionNanos the time of the whole execution; empty when the profile does not contain it
 * @param spilledBytes the spilled bytes of the whole execution; empty when the profile does not contain them
 * @param rows rows by grouping, with the longest time first
 * @param notices missing, unusable or merged data, and warnings of the tool
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProfileEvents(
        Path path,
        SortedMap<String, String> about,
        OptionalLong executionNanos,
        OptionalLong spilledBytes,
        List<EventRow> rows,
        List<String> notices) {

    /**
     * Creates events from rows in any order.
     *
     * @param path the file, or the folder of the tables
     * @param about properties that must match in a comparison
     * @param executionNanos the time of the whole execution
     * @param spilledBytes the spilled bytes of the whole execution
     * @param rows rows in any order
     * @param notices missing data and warnings
     */
    public ProfileEvents {
        about = Collections.unmodifiableSortedMap(new TreeMap<>(about));
        rows = rows.stream()
                .sorted(Comparator.comparing(EventRow::by)
                        .thenComparing(Comparator.comparingLong(EventRow::nanos).reversed())
                        .thenComparing(EventRow::name))
                .toList();
        notices = List.copyOf(notices);
    }

    /**
     * Reads a full JSON, or the tables in a folder.
     *
     * @param path the output of {@code view --output-format json}, usually {@code ntff.json}, or the folder with the tables of
     *     {@code view --output-format parquet --ingest-only}
     * @return its events
     * @throws ProfileEventsException when the file cannot be read to its end; the exception contains the part before
     * @throws dev.neurontest.profile.TablesException when tables cannot be read
     */
    public static ProfileEvents read(Path path) {
        return Files.isDirectory(path) ? of(ProfileTables.of(path)) : new ProfileEventsParser(path).read();
    }

    /**
     * Reads tables.
     *
     * @param tables the tables of one profile
     * @return their events
     * @throws dev.neurontest.profile.TablesException when the tables cannot be read
     */
    public static ProfileEvents of(ProfileTables tables) {
        return EventTables.read(tables, true);
    }

    /**
     * Reads tables without percentiles, which takes a third of the time.
     *
     * @param tables the tables of one profile
     * @return their events
     * @throws dev.neurontest.profile.TablesException when the tables cannot be read
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static ProfileEvents sums(ProfileTables tables) {
        return EventTables.read(tables, false);
    }

    /**
     * Returns the rows of one property.
     *
     * @param by the property
     * @return rows with the longest time first
     */
    public List<EventRow> rows(Grouping by) {
        return rows.stream().filter(row -> row.by() == by).toList();
    }

    /**
     * Returns the total time of one property. Engines work at the same time, therefore the total may be longer than the execution.
     *
     * @param by the property
     * @return nanoseconds
     */
    public long nanos(Grouping by) {
        return rows(by).stream().mapToLong(EventRow::nanos).sum();
    }

    /**
     * Returns the number of events.
     *
     * @param by {@link Grouping#QUEUE} for DMA transfers, any other for instructions
     * @return number of events with a usable duration
     */
    public long count(Grouping by) {
        return rows(by).stream().mapToLong(EventRow::count).sum();
    }

    /**
     * Returns whether all names are complete and listed separately.
     *
     * @param by the property that the names belong to
     * @return false when a total may include unknown names
     */
    boolean isComplete(Grouping by) {
        return rows(by).stream().noneMatch(row -> row.isCut() || row.name().equals(EventRow.OTHERS));
    }

    /**
     * Returns the share of some instructions in the total time of all instructions.
     *
     * @param query the selection of instructions
     * @return a fraction, 0 to 1
     * @throws NoSuchElementException when no instruction took any time, none has that property, or too many names were merged
     */
    public double shareOfTime(EventQuery query) {
        List<EventRow> rows = rows(query.by());
        long all = nanos(query.by());
        if (all == 0) {
            throw new NoSuchElementException("%s has no instruction that took any time, so there is no share of it. %s"
                    .formatted(path, String.join(" ", notices)));
        }
        if (rows.stream().noneMatch(EventRow::isNamed)) {
            throw new NoSuchElementException(
                    "%s cannot be answered from %s: no instruction has a %s there. It may have another name; see profile.tables() and notices()."
                            .formatted(query, path, query.by().word()));
        }
        List<EventRow> matching = rows.stream().filter(query::isMetBy).toList();
        if (!isComplete(query.by()) && !(query.whole() && matching.size() == 1)) {
            throw new NoSuchElementException(
                    "%s cannot be answered from %s, which has more or longer names than are kept apart. Query profile.tables()."
                            .formatted(query, path));
        }
        return (double) matching.stream().mapToLong(EventRow::nanos).sum() / all;
    }

    /**
     * Adds properties that must match in a comparison.
     *
     * @param additions properties by name
     * @return the same rows with these properties
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public ProfileEvents about(Map<String, String> additions) {
        SortedMap<String, String> all = new TreeMap<>(about);
        all.putAll(additions);
        return new ProfileEvents(path, all, executionNanos, spilledBytes, rows, notices);
    }

    /**
     * Renames the rows and merges those with the same new name.
     *
     * @param name function from an old name to a new one
     * @return events with the new names
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public ProfileEvents renamed(UnaryOperator<String> name) {
        return with(merged(
                rows.stream().map(row -> row.named(name.apply(row.name()))).toList()));
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public ProfileEvents with(Collection<EventRow> newRows) {
        return new ProfileEvents(path, about, executionNanos, spilledBytes, List.copyOf(newRows), notices);
    }

    /**
     * Merges rows with the same name.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public static Collection<EventRow> merged(Collection<EventRow> rows) {
        Map<List<Object>, EventRow> merged = new LinkedHashMap<>();
        rows.forEach(row -> merged.merge(List.of(row.by(), row.name()), row, EventRow::plus));
        return merged.values();
    }

    /** Returns a notice about records that no sum includes. */
    static List<String> unusable(String array, String flag, long records, long unusable) {
        if (records == 0) {
            return List.of(
                    "%s: there are no records, so nothing is known about the device. Was the profile viewed with %s?"
                            .formatted(array, flag));
        }
        return unusable == 0
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "%s: %,d of %,d records have no duration, or a duration that is negative, not finite or longer than a day. They are excluded from all sums.",
                        array,
                        unusable,
                        records));
    }

    /** Returns notices about names that were merged. */
    static List<String> summedTogether(Collection<EventRow> rows) {
        List<String> notices = new ArrayList<>();
        for (Grouping by : Grouping.values()) {
            Optional<EventRow> others = rows.stream()
                    .filter(row -> row.by() == by && row.name().equals(EventRow.OTHERS))
                    .findFirst();
            others.ifPresent(row -> notices.add(String.format(
                    Locale.ROOT,
                    "%s: only %,d names are kept apart; %,d records with others are summed as %s.",
                    by.word(),
                    by.most(),
                    row.count(),
                    EventRow.OTHERS)));
            if (rows.stream().anyMatch(row -> row.by() == by && row.isCut())) {
                notices.add(
                        "%s: names are cut to their first %s characters; names that begin alike are summed together."
                                .formatted(by.word(), EventRow.LONGEST_NAME));
            }
        }
        return notices;
    }

    /**
     * Returns a table by engine, one by opcode, one by source line if there are any, and the notices.
     *
     * @return lines of text; the last one ends with a line break too
     */
    public String toText() {
        return ProfileEventsText.of(this);
    }
}
