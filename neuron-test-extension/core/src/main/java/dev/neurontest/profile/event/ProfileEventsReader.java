package dev.neurontest.profile.event;

import dev.neurontest.profile.table.ProfileTables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * What is to be found out in one reading of a full json, or of tables. Immutable: every option gives a new reader.
 *
 * <p>{@link EventQuery#transposes()} is always asked, under the name {@code transposes}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProfileEventsReader {

    static final int KEPT = 10;
    static final int MOST_KEPT = 100;

    static final ProfileEventsReader DEFAULT =
            new ProfileEventsReader(Map.of("transposes", EventQuery.transposes()), KEPT);

    private final Map<String, EventQuery> queries;
    private final int kept;

    private ProfileEventsReader(Map<String, EventQuery> queries, int kept) {
        this.queries = queries;
        this.kept = kept;
    }

    /**
     * Asks for the share of time of some instructions.
     *
     * @param name how {@link ProfileEvents#shareOfTime(String)}, the text and the JSON form call it; a query of the same name is
     *     replaced
     * @param query which instructions
     * @return a reader that asks this too
     * @throws IllegalArgumentException when all queries together have more than 64 different conditions
     */
    public ProfileEventsReader query(String name, EventQuery query) {
        Map<String, EventQuery> more = new LinkedHashMap<>(queries);
        more.put(name, query);
        EventConditions.requireFew(more.values());
        return new ProfileEventsReader(Collections.unmodifiableMap(more), kept);
    }

    /**
     * Keeps other than the 10 longest instructions.
     *
     * @param count from 1 to 100
     * @return a reader that keeps so many
     * @throws IllegalArgumentException for any other number
     */
    public ProfileEventsReader keepLongest(int count) {
        if (count < 1 || count > MOST_KEPT) {
            throw new IllegalArgumentException(
                    "%s longest instructions cannot be kept, only 1 to %s. For more, query the file or the tables themselves."
                            .formatted(count, MOST_KEPT));
        }
        return new ProfileEventsReader(queries, count);
    }

    /**
     * Reads a file once, from its begin to its end, in memory that does not grow with it, or the tables in a folder.
     *
     * @param path what {@code view --output-format json} wrote, usually {@code ntff.json}, or the folder in which {@code view
     *     --output-format parquet --ingest-only} wrote tables
     * @return what is in it
     * @throws ProfileEventsException when it cannot be read to its end; what of a file was read is in the exception
     */
    public ProfileEvents read(Path path) {
        return Files.isDirectory(path)
                ? new EventTables(path, queries, kept).read()
                : new ProfileEventsParser(path, queries, kept).read();
    }

    /**
     * Reads tables, in memory that does not grow with them.
     *
     * @param tables of one profile
     * @return what is in them
     * @throws ProfileEventsException when they cannot be read
     */
    public ProfileEvents read(ProfileTables tables) {
        return new EventTables(tables.folder(), queries, kept).read(tables);
    }
}
