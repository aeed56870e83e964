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
 * <p>The rows come from the full JSON of the profiler ({@code view --output-format json}), which is read once, in memory that does not grow
 * with the file, or from its Parquet tables ({@code Instruction}, {@code DmaPacket}), which DuckDB sums up. Both give the same rows, with
 * two differences. Names are as the tool writes them: an engine may be {@code Tensor} in the tables and {@code TensorMatrix} in the full
 * JSON. Of too many names the tables keep those with most time apart, the full JSON those that come first.
 *
 * <p>Sums over instructions count time more than once where engines overlap, and DMA transfers may be recorded twice or not at all: times
 * and bytes of the whole execution are in the summary.
 *
 * @param path the file, or the folder of the tables
 * @param about what makes two of them alike, such as {@code tool}, {@code instance} and {@code schema}; what is unknown is absent
 * @param executionNanos what the whole execution took; empty where the profile does not say
 * @param spilledBytes of the whole execution; empty where the profile does not say
 * @param rows by grouping, those that took most time first
 * @param notices what was missing, could not be used or was summed together, and warnings of the tool
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
     * Creates events of rows in any order.
     *
     * @param path the file, or the folder of the tables
     * @param about what makes two of them alike
     * @param executionNanos what the whole execution took
     * @param spilledBytes of the whole execution
     * @param rows in any order
     * @param notices what was missing
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
     * @param path what {@code view --output-format json} wrote, usually {@code ntff.json}, or the folder in which {@code view
     *     --output-format parquet --ingest-only} wrote tables
     * @return its rows
     * @throws ProfileEventsException when it cannot be read to its end; what was read of a file is in the exception
     * @throws dev.neurontest.profile.TablesException when tables cannot be read
     */
    public static ProfileEvents read(Path path) {
        return Files.isDirectory(path) ? of(ProfileTables.of(path)) : new ProfileEventsParser(path).read();
    }

    /**
     * Reads tables.
     *
     * @param tables of one profile
     * @return their rows
     * @throws dev.neurontest.profile.TablesException when they cannot be read
     */
    public static ProfileEvents of(ProfileTables tables) {
        return EventTables.read(tables, true);
    }

    /**
     * Reads tables without percentiles, which takes a third of the time.
     *
     * @param tables of one profile
     * @return their rows
     * @throws dev.neurontest.profile.TablesException when they cannot be read
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static ProfileEvents sums(ProfileTables tables) {
        return EventTables.read(tables, false);
    }

    /**
     * Returns the rows of one property.
     *
     * @param by the property
     * @return those that took most time first
     */
    public List<EventRow> rows(Grouping by) {
        return rows.stream().filter(row -> row.by() == by).toList();
    }

    /**
     * Returns all of one property added up. Engines work at the same time, so this may be longer than the execution.
     *
     * @param by the property
     * @return nanoseconds
     */
    public long nanos(Grouping by) {
        return rows(by).stream().mapToLong(EventRow::nanos).sum();
    }

    /**
     * Returns how many events there are.
     *
     * @param by {@link Grouping#QUEUE} for DMA transfers, any other for instructions
     * @return those with a usable duration
     */
    public long count(Grouping by) {
        return rows(by).stream().mapToLong(EventRow::count).sum();
    }

    /**
     * Returns whether all names are kept apart, and whole.
     *
     * @param by the property that they are of
     * @return false where names that are not known may be in a sum
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean isComplete(Grouping by) {
        return rows(by).stream().noneMatch(row -> row.isCut() || row.name().equals(EventRow.OTHERS));
    }

    /**
     * Returns the share of the summed time of all instructions that some of them took.
     *
     * @param query which instructions
     * @return a fraction, 0 to 1
     * @throws NoSuchElementException when no instruction took any time, none has that property, or too many names were summed together
     */
    public double shareOfTime(EventQuery query) {
        List<EventRow> asked = rows(query.by());
        long all = nanos(query.by());
        if (all == 0) {
            throw new NoSuchElementException("%s has no instruction that took any time, so there is no share of it. %s"
                    .formatted(path, String.join(" ", notices)));
        }
        if (asked.stream().noneMatch(EventRow::isNamed)) {
            throw new NoSuchElementException(
                    "%s cannot be answered from %s: no instruction has a %s there. It may have another name; see profile.tables() and notices()."
                            .formatted(query, path, query.by().word()));
        }
        List<EventRow> found = asked.stream().filter(query::isMetBy).toList();
        if (!isComplete(query.by()) && !(query.whole() && found.size() == 1)) {
            throw new NoSuchElementException(
                    "%s cannot be answered from %s, which has more or longer names than are kept apart. Query profile.tables()."
                            .formatted(query, path));
        }
        return (double) found.stream().mapToLong(EventRow::nanos).sum() / all;
    }

    /**
     * Adds to what makes two of them alike.
     *
     * @param more by name
     * @return the same rows
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public ProfileEvents about(Map<String, String> more) {
        SortedMap<String, String> all = new TreeMap<>(about);
        all.putAll(more);
        return new ProfileEvents(path, all, executionNanos, spilledBytes, rows, notices);
    }

    /**
     * Adds up rows that have the same name then.
     *
     * @param name from a name
     * @return events with these names
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public ProfileEvents renamed(UnaryOperator<String> name) {
        return with(merged(
                rows.stream().map(row -> row.named(name.apply(row.name()))).toList()));
    }

    @API(status = API.Status.INTERNAL)
    public ProfileEvents with(Collection<EventRow> other) {
        return new ProfileEvents(path, about, executionNanos, spilledBytes, List.copyOf(other), notices);
    }

    /** Adds up rows of the same name. */
    @API(status = API.Status.INTERNAL)
    public static Collection<EventRow> merged(Collection<EventRow> rows) {
        Map<List<Object>, EventRow> merged = new LinkedHashMap<>();
        rows.forEach(row -> merged.merge(List.of(row.by(), row.name()), row, EventRow::plus));
        return merged.values();
    }

    /** Returns which records are in no sum. */
    static List<String> unusable(String array, String flag, long records, long unusable) {
        if (records == 0) {
            return List.of(
                    "%s: no record is there, which says nothing about the device. Was the profile viewed with %s?"
                            .formatted(array, flag));
        }
        return unusable == 0
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "%s: %,d of %,d records have no duration, or one that is negative, no finite number or more than a day. They are in no sum.",
                        array,
                        unusable,
                        records));
    }

    /** Returns which names are not kept apart. */
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
                        "%s: names are cut to their first %s characters; those that begin alike are summed together."
                                .formatted(by.word(), EventRow.LONGEST_NAME));
            }
        }
        return notices;
    }

    /**
     * Returns a table by engine, one by opcode, one by source line where there are some, and notices.
     *
     * @return lines of text, the last one ended too
     */
    public String toText() {
        return ProfileEventsText.of(this);
    }
}
