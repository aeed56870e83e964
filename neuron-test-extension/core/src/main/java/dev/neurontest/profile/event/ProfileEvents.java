package dev.neurontest.profile.event;

import dev.neurontest.profile.event.EventQuery.Condition;
import dev.neurontest.profile.event.EventQuery.Field;
import dev.neurontest.profile.table.ProfileTables;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * What single instructions and DMA transfers of one profile took. It comes from the full json of the profiler ({@code view
 * --output-format json}), which is read once, in memory that does not grow with the file, or from its Parquet tables. Times in both are
 * nanoseconds.
 *
 * <p>Tables ({@code Instruction}, {@code DmaPacket}, {@code Summary} and {@code Warning}) are read by DuckDB, see
 * {@link ProfileTables}. They give the same answers, with three differences. Names are as the tables write them: an engine may be {@code
 * Tensor} there and {@code TensorMatrix} in the full json. Of too many names those with most time are kept apart, for tables promise no
 * order. And a query on a column that is not there has no answer.
 *
 * <p>No tool promises any part of the full json: fields and arrays may be absent, and what is unknown is skipped. {@link #notices()}
 * says what was missing or could not be used. Sums over instructions count time more than once where engines overlap, and DMA
 * transfers may be recorded twice or not at all: times and bytes of the whole execution are in the summary.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProfileEvents {

    private final EventContent content;

    ProfileEvents(EventContent content) {
        this.content = content;
    }

    /**
     * Reads a file, or the tables in a folder, as {@link #reader()} does without options.
     *
     * @param path what {@code view --output-format json} wrote, usually {@code ntff.json}, or the folder in which {@code view
     *     --output-format parquet --ingest-only} wrote tables
     * @return what is in it
     * @throws ProfileEventsException when it cannot be read to its end; what of a file was read is in the exception
     */
    public static ProfileEvents read(Path path) {
        return reader().read(path);
    }

    /**
     * Reads tables as {@link #reader()} does without options.
     *
     * @param tables of one profile
     * @return what is in them
     * @throws ProfileEventsException when they cannot be read
     */
    public static ProfileEvents of(ProfileTables tables) {
        return reader().read(tables);
    }

    /**
     * Reads with options: queries, and how many of the longest instructions are kept.
     *
     * @return a reader that asks for transposes and keeps the 10 longest
     */
    public static ProfileEventsReader reader() {
        return ProfileEventsReader.DEFAULT;
    }

    /**
     * The file, or the folder of the tables.
     *
     * @return as it was given
     */
    public Path file() {
        return content.file();
    }

    /**
     * All instructions with a usable duration.
     *
     * @return of none when there is none
     */
    public EventSummary instructions() {
        return content.instructions();
    }

    /**
     * The instructions by engine: {@code label}, or else {@code subgroup}; of tables {@code engine}, whose spelling may differ and of
     * which {@code timeline_track} would be finer.
     *
     * @return those that took most time first; {@code (none)} for those without; at most 100 engines, the rest is {@code (others)}
     */
    public Map<String, EventSummary> byEngine() {
        return content.byEngine();
    }

    /**
     * The instructions by {@code opcode}, or else {@code compiler_opcode}.
     *
     * @return those that took most time first; {@code (none)} for those without; at most 1,000 opcodes, the rest is
     *     {@code (others)}
     */
    public Map<String, EventSummary> byOpcode() {
        return content.byOpcode();
    }

    /**
     * The instructions by {@code layer}.
     *
     * @return those that took most time first; {@code (none)} for those without; at most 5,000 layers, the rest is {@code (others)};
     *     names are cut to 256 characters
     */
    public Map<String, EventSummary> byLayer() {
        return content.byLayer();
    }

    /**
     * The instructions by source line: {@code nki_source_location} of a kernel, or else {@code bir_debug_info_source_location} of what
     * the compiler made. Lines are the texts of the tool, usually a path, {@code :} and a number.
     *
     * @return those that took most time first; {@code (none)} for those without; at most 5,000 lines, the rest is {@code (others)};
     *     names are cut to 256 characters
     */
    public Map<String, EventSummary> byLine() {
        return content.byLine();
    }

    /**
     * All DMA transfers with a usable duration, duplicates among them; of tables the packets ({@code DmaPacket}), or where there are
     * none, as a notice says then, {@code DmaPacketAggregated}.
     *
     * @return of none when there is none
     */
    public EventSummary dma() {
        return content.dma();
    }

    /**
     * The DMA transfers by {@code dma_queue}; of tables by {@code queue_name}, or else {@code queue_idx}.
     *
     * @return those that took most time first; {@code (none)} for those without; at most 1,000 queues, the rest is {@code (others)}
     */
    public Map<String, EventSummary> dmaByQueue() {
        return content.dmaByQueue();
    }

    /**
     * The longest instructions that were kept.
     *
     * @return the longest first; of equally long ones those that come first in the file, or in tables those that began first
     */
    public List<InstructionEvent> longest() {
        return content.longest();
    }

    /**
     * The longest instructions.
     *
     * @param count how many; 10 are kept unless {@link ProfileEventsReader#keepLongest(int)} says otherwise
     * @return the longest first, fewer when the file has fewer
     * @throws IllegalArgumentException when fewer were kept
     */
    public List<InstructionEvent> longest(int count) {
        if (count < 0 || count > content.keptLongest()) {
            throw new IllegalArgumentException(
                    "The %s longest instructions were kept, not %s. Read with ProfileEvents.reader().keepLongest(n), n at most %s."
                            .formatted(content.keptLongest(), count, ProfileEventsReader.MOST_KEPT));
        }
        return longest().subList(0, Math.min(count, longest().size()));
    }

    /**
     * The queries that were asked while the file was read.
     *
     * @return by name, {@code transposes} first
     */
    public Map<String, EventQuery> queries() {
        return content.queries();
    }

    /**
     * The instructions that a query found.
     *
     * @param name of the query
     * @return of none when there is none
     * @throws IllegalArgumentException when no query of that name was asked
     */
    public EventSummary matching(String name) {
        EventSummary found = content.found().get(name);
        if (found == null) {
            throw new IllegalArgumentException(
                    "No query \"%s\" was asked when %s was read, only %s. Read with ProfileEvents.reader().query(\"%1$s\", ...)."
                            .formatted(name, file(), content.queries().keySet()));
        }
        return found;
    }

    /**
     * How much of the summed time of all instructions went into those that a query found.
     *
     * @param name of the query
     * @return a fraction, 0 to 1
     * @throws IllegalArgumentException when no query of that name was asked
     * @throws NoSuchElementException when no instruction took any time, or the tables lack a column that the query looks at
     */
    public double shareOfTime(String name) {
        EventSummary found = matching(name);
        requireSeen(content.queries().get(name));
        return shareOf(found.total());
    }

    private void requireSeen(EventQuery query) {
        query.conditions()
                .map(condition -> content.absent().get(condition.field()))
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(absent -> {
                    throw new NoSuchElementException(
                            "%s cannot be answered from %s: %s. It may have another name there; see profile.tables() and notices()."
                                    .formatted(query, file(), absent));
                });
    }

    /** Whether there is a share to ask for. */
    boolean hasShareOfTime(EventQuery query) {
        return !instructions().total().isZero()
                && query.conditions().noneMatch(condition -> content.absent().containsKey(condition.field()));
    }

    /**
     * How much of the summed time of all instructions went into some of them. A query that was not asked while the file was read
     * is answered if all its conditions are on the engine, or all on the opcode, or all on the layer, or all on the source line.
     *
     * @param query which instructions
     * @return a fraction, 0 to 1
     * @throws IllegalArgumentException when the query had to be asked while the file was read
     * @throws NoSuchElementException when no instruction took any time, or the tables lack a column that the query looks at
     */
    public double shareOfTime(EventQuery query) {
        for (Map.Entry<String, EventQuery> asked : content.queries().entrySet()) {
            if (asked.getValue().equals(query)) {
                return shareOfTime(asked.getKey());
            }
        }
        requireSeen(query);
        Set<Field> fields = query.conditions().map(Condition::field).collect(Collectors.toSet());
        Field field = fields.iterator().next();
        if (fields.size() > 1 || !content.complete().contains(field)) {
            throw new IllegalArgumentException(
                    "%s cannot be answered after %s was read. Ask while it is read: ProfileEvents.reader().query(\"some name\", query).read(path)."
                            .formatted(query, file()));
        }
        return shareOf(time(names(field), query));
    }

    private Map<String, EventSummary> names(Field field) {
        return switch (field) {
            case ENGINE -> byEngine();
            case OPCODE -> byOpcode();
            case LAYER -> byLayer();
            case LINE -> byLine();
            case COMPILER_OPCODE, HLO_NAME -> Map.of();
        };
    }

    private static Duration time(Map<String, EventSummary> names, EventQuery query) {
        EventConditions conditions = new EventConditions(List.of(query));
        LongPredicate predicate = conditions.compile(query);
        return names.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(EventNames.NONE))
                .filter(entry -> predicate.test(conditions.metBy(entry.getKey())))
                .map(entry -> entry.getValue().total())
                .reduce(Duration.ZERO, Duration::plus);
    }

    private double shareOf(Duration time) {
        Duration all = instructions().total();
        if (all.isZero()) {
            throw new NoSuchElementException("%s has no instruction that took any time, so there is no share of it. %s"
                    .formatted(file(), String.join(" ", notices())));
        }
        return share(time, all);
    }

    static double share(Duration part, Duration all) {
        return seconds(part) / seconds(all);
    }

    private static double seconds(Duration duration) {
        return duration.getSeconds() + duration.getNano() / 1e9;
    }

    static BigInteger nanos(Duration duration) {
        return BigInteger.valueOf(duration.getSeconds())
                .multiply(BigInteger.valueOf(1_000_000_000))
                .add(BigInteger.valueOf(duration.getNano()));
    }

    /**
     * The numbers of the first element of {@code summary}, in the units of the summary: seconds, bytes, and {@code *_percent} as
     * fractions of 1.
     *
     * @return by name, in the order of the file; numbers that are not finite are left out
     */
    public Map<String, Double> summaryNumbers() {
        return content.summaryNumbers();
    }

    /**
     * What the tool warns of in {@code warnings}, such as dropped notifications.
     *
     * @return the first 100 texts
     */
    public List<String> warnings() {
        return content.warnings();
    }

    /**
     * What was missing, could not be used or was summed together.
     *
     * @return empty when all went well
     */
    public List<String> notices() {
        return content.notices();
    }

    /**
     * For a person: a table by engine, one by opcode, one by source line where there are some, the longest instructions, the shares of the queries, warnings and notices.
     *
     * @return lines of text, the last one ended too
     */
    public String toText() {
        return ProfileEventsText.of(this);
    }

    /**
     * For a program: {@code version}, {@code kind} ({@code events}), {@code file}, {@code instructions}, {@code engines},
     * {@code opcodes}, {@code layers}, {@code lines}, {@code dma}, {@code dmaQueues}, {@code queries}, {@code longest}, {@code summary},
     * {@code warnings}, {@code notices}. Times are nanoseconds, {@code spilledBytes} is where the file says it. {@code version} rises when the shape changes.
     *
     * @return one JSON object
     */
    public String toJson() {
        return ProfileEventsJson.of(this);
    }
}
