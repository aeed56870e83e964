package dev.neurontest.profile;

import dev.neurontest.internal.profile.table.ParquetFolder;
import dev.neurontest.internal.profile.table.ParquetSession;
import dev.neurontest.internal.text.ListText;
import java.nio.file.Path;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The tables of one profile from {@code neuron-explorer view --output-format parquet --ingest-only}, with SQL queries over them:
 *
 * <pre>{@code
 * ProfileTables tables = ProfileTables.of(Path.of("build/profile/tables"));
 * TableRows slow = tables.query("select opcode, sum(duration_ns) from instruction group by opcode order by 2 desc");
 * }</pre>
 *
 * <p>DuckDB reads the tables. The class path of the tests must contain {@code org.duckdb:duckdb_jdbc}. A query reads only the tables of
 * this profile, in at most 512 MB in addition to the heap. Names of tables and columns are those of the tool's schema, in upper or lower
 * case. The tool does not write a table without rows. Such a table is empty if the profile's own {@code SchemaFields} names it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProfileTables {

    private final ParquetFolder folder;

    private ProfileTables(ParquetFolder folder) {
        this.folder = folder;
    }

    /**
     * Finds the tables in a folder without opening them.
     *
     * @param folder the output folder of {@code view}
     * @return the tables
     * @throws TablesException when the folder cannot be listed, or contains more than one run
     */
    public static ProfileTables of(Path folder) {
        return new ProfileTables(ParquetFolder.of(folder));
    }

    /**
     * Returns the folder of the tables.
     *
     * @return the folder as it was given
     */
    public Path folder() {
        return folder.folder();
    }

    /**
     * Returns the names of the existing tables.
     *
     * @return names in alphabetical order, such as {@code Instruction} and {@code Summary}
     */
    public List<String> names() {
        return List.copyOf(folder.tables().keySet());
    }

    /**
     * Checks that tables exist that every run writes.
     *
     * @param needed names of the tables
     * @return these tables
     * @throws TablesException when one of the tables is missing
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public ProfileTables require(List<String> needed) {
        for (String table : needed) {
            if (!folder.tables().containsKey(table)) {
                throw new TablesException(
                        TablesException.Kind.NO_TABLE,
                        "%s has no table %s, which every trace has. Its tables are %s: the view was ended, or processed only a part."
                                .formatted(folder(), table, ListText.of(names())),
                        null);
            }
        }
        return this;
    }

    /**
     * Returns the columns of a table.
     *
     * @param table name of the table
     * @return columns in the order of the file; empty when there is no such table
     * @throws TablesException when the table cannot be read
     */
    public List<TableColumn> columns(String table) {
        try (ParquetSession session = session()) {
            return session.columns(table);
        }
    }

    /**
     * Runs a query.
     *
     * @param sql one SELECT, such as {@code select sum(duration_ns) from instruction where tensor_instruction_type = 'TRANSPOSE'}
     * @return at most {@link TableRows#MOST} rows
     * @throws TablesException when the query has a mistake (the message shows the place), is not exactly one SELECT, exceeds its limits, or
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
     * @return a session that the caller closes
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public ParquetSession session() {
        return ParquetSession.open(folder, true);
    }

    /**
     * Opens the files only, without tables and columns that only the schema names.
     *
     * @return a session that the caller closes
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public ParquetSession files() {
        return ParquetSession.open(folder, false);
    }
}
