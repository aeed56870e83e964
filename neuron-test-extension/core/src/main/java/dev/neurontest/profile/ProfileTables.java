package dev.neurontest.profile;

import dev.neurontest.internal.profile.table.ParquetFolder;
import dev.neurontest.internal.profile.table.ParquetSession;
import dev.neurontest.internal.text.ListText;
import java.nio.file.Path;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The tables of one profile, as {@code neuron-explorer view --output-format parquet --ingest-only} writes them, and SQL over them:
 *
 * <pre>{@code
 * ProfileTables tables = ProfileTables.of(Path.of("build/profile/tables"));
 * TableRows slow = tables.query("select opcode, sum(duration_ns) from instruction group by opcode order by 2 desc");
 * }</pre>
 *
 * <p>DuckDB reads them ({@code org.duckdb:duckdb_jdbc}, which the tests must have on their class path). A query reads the tables of this
 * profile and nothing else, in at most 512 MB beside the heap. Names of tables and columns are those of the tool's schema, in upper or
 * lower case. A table that has nothing to say is not written; where the profile's own {@code SchemaFields} name it, it is empty.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProfileTables {

    private final ParquetFolder folder;

    private ProfileTables(ParquetFolder folder) {
        this.folder = folder;
    }

    /**
     * Looks which tables are there. None of them is opened yet.
     *
     * @param folder where {@code view} wrote them
     * @return the tables
     * @throws TablesException when the folder cannot be listed, or holds more than one run
     */
    public static ProfileTables of(Path folder) {
        return new ProfileTables(ParquetFolder.of(folder));
    }

    /**
     * Where they are.
     *
     * @return the folder as it was given
     */
    public Path folder() {
        return folder.folder();
    }

    /**
     * The tables that are there.
     *
     * @return their names in alphabetical order, such as {@code Instruction} and {@code Summary}
     */
    public List<String> names() {
        return List.copyOf(folder.tables().keySet());
    }

    /**
     * Looks for tables that no run goes without.
     *
     * @param needed their names
     * @return these tables
     * @throws TablesException when one of them is not there
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public ProfileTables require(List<String> needed) {
        for (String table : needed) {
            if (!folder.tables().containsKey(table)) {
                throw new TablesException(
                        TablesException.Kind.NO_TABLE,
                        "%s has no table %s, which every trace has. There are %s: the view was ended, or processed a part only."
                                .formatted(folder(), table, ListText.of(names())),
                        null);
            }
        }
        return this;
    }

    /**
     * The columns of a table.
     *
     * @param table its name
     * @return in the order of the file; of none when there is no such table
     * @throws TablesException when it cannot be read
     */
    public List<TableColumn> columns(String table) {
        try (ParquetSession session = session()) {
            return session.columns(table);
        }
    }

    /**
     * Answers a query.
     *
     * @param sql one SELECT, such as {@code select sum(duration_ns) from instruction where opcode = 'Transpose'}
     * @return at most {@link TableRows#MOST} rows
     * @throws TablesException when it has a mistake (the message shows the place), is something else than one SELECT, needs too much, or
     *     the tables cannot be read
     */
    public TableRows query(String sql) {
        try (ParquetSession session = session()) {
            return session.query(sql);
        }
    }

    /**
     * Opens the tables for several queries.
     *
     * @return to be closed
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public ParquetSession session() {
        return ParquetSession.open(folder, true);
    }

    /**
     * Opens what is in the files, without tables and columns that only the schema names.
     *
     * @return to be closed
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public ParquetSession files() {
        return ParquetSession.open(folder, false);
    }
}
