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
 * The columns of a table as SQL, by their names in schema 7.4.0. One that is not there is always null; one of another type is a broken
 * table.
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
     * Looks which columns are there.
     *
     * @param session the tables
     * @param table its name; it need not be there
     * @throws TablesException when it is there and broken
     */
    public ParquetColumns(ParquetSession session, String table) {
        this.session = session;
        this.table = table;
        this.version = session.schemaVersion().orElse("");
        session.columns(table).forEach(column -> columns.put(column.name(), column));
    }

    /**
     * Whether the table is there.
     *
     * @return true when it has columns
     */
    public boolean isThere() {
        return !columns.isEmpty();
    }

    /**
     * Whether it has a column.
     *
     * @param name in schema 7.4.0
     * @return false, too, when the table is not there
     */
    public boolean has(String name) {
        return columns.containsKey(name);
    }

    /**
     * A text; the empty one is none.
     *
     * @param name in schema 7.4.0
     * @return SQL
     * @throws TablesException when the column is no text
     */
    public String text(String name) {
        return find(name, TEXT, "text (VARCHAR)")
                .map(column -> "nullif(%s, '')".formatted(ParquetSession.quoted(column.name())))
                .orElse("NULL::VARCHAR");
    }

    /**
     * A number of 64 bits; what does not fit is none.
     *
     * @param name in schema 7.4.0
     * @return SQL
     * @throws TablesException when the column is no whole number
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
        column.filter(found -> !type.matcher(found.type()).matches()).ifPresent(found -> {
            throw session.mistyped(table, found, expected);
        });
        return column;
    }

    /**
     * Which columns were asked for and are not there.
     *
     * @return a sentence, or none
     */
    public List<String> notices() {
        return absent.isEmpty() || !isThere()
                ? List.of()
                : List.of(
                        "%s: no column %s, so nothing is known of it. The tables follow schema %s; columns are looked up by their names in 7.4.0."
                                .formatted(
                                        table,
                                        String.join(", ", absent),
                                        version.isEmpty() ? "of an unknown version" : version));
    }
}
