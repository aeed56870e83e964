package dev.neurontest.internal.profile.table;

import dev.neurontest.profile.TableColumn;
import dev.neurontest.profile.TablesException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * SQL expressions for the columns of a table, by their names in schema 7.4.0. An absent column is always null. A column of another type
 * means a broken table.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ParquetColumns {

    private static final Pattern TEXT = Pattern.compile("VARCHAR");
    private static final Pattern INTEGER = Pattern.compile("U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)");

    private final ParquetSession session;
    private final String table;
    private final String version;
    private final Map<String, TableColumn> columns = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Set<String> absent = new LinkedHashSet<>();

    /**
     * Creates the expressions and reads the columns that the table has.
     *
     * @param table name of the table; it may be absent
     * @throws TablesException when the table is broken
     */
    public ParquetColumns(ParquetSession session, String table) {
        this.session = session;
        this.table = table;
        this.version = session.schemaVersion().orElse("");
        session.columns(table).forEach(column -> columns.put(column.name(), column));
    }

    /** Checks whether the table exists, that is, has columns. */
    public boolean isThere() {
        return !columns.isEmpty();
    }

    /**
     * Checks whether the table has the column. An absent table has none.
     *
     * @param name name in schema 7.4.0
     */
    public boolean has(String name) {
        return columns.containsKey(name);
    }

    /**
     * Returns SQL for a text column; an empty text becomes null.
     *
     * @param name name in schema 7.4.0
     * @throws TablesException when the column is no text
     */
    public String text(String name) {
        return find(name, TEXT, "text (VARCHAR)")
                .map(column -> "nullif(%s, '')".formatted(ParquetSession.quoted(column.name())))
                .orElse("NULL::VARCHAR");
    }

    /**
     * Returns SQL for a column of 64-bit integers; a number that does not fit becomes null.
     *
     * @param name name in schema 7.4.0
     * @throws TablesException when the column has no integer type
     */
    public String integer(String name) {
        return find(name, INTEGER, "whole numbers (BIGINT)")
                .map(column -> "try_cast(%s AS BIGINT)".formatted(ParquetSession.quoted(column.name())))
                .orElse("NULL::BIGINT");
    }

    private Optional<TableColumn> find(String name, Pattern type, String expected) {
        Optional<TableColumn> column = Optional.ofNullable(columns.get(name));
        if (column.isEmpty()) {
            absent.add(name);
        }
        column.filter(present -> !type.matcher(present.type()).matches()).ifPresent(present -> {
            throw session.mistyped(table, present, expected);
        });
        return column;
    }

    /**
     * Returns a sentence about the requested columns that the table does not have.
     *
     * @return one sentence, or an empty list
     */
    public List<String> notices() {
        return absent.isEmpty() || !isThere()
                ? List.of()
                : List.of(
                        "%s: no column %s, so its values are unknown. The tables follow schema %s; columns are looked up by their names in 7.4.0."
                                .formatted(
                                        table,
                                        String.join(", ", absent),
                                        version.isEmpty() ? "of an unknown version" : version));
    }
}
