package dev.neurontest.profile;

import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.TextTable;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The result of a query.
 *
 * @param sql the query
 * @param columns columns in the order of the query
 * @param rows rows with a value for each column: {@link Long}, {@link Integer}, {@link Double}, {@link Float}, {@link BigInteger},
 *     {@link BigDecimal}, {@link Boolean}, {@link String}, or null
 * @param more true if there were more than the maximum of {@value #MOST} rows
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TableRows(String sql, List<TableColumn> columns, List<List<@Nullable Object>> rows, boolean more) {

    /** Maximum number of rows that are kept. */
    public static final int MOST = 10_000;

    /**
     * Creates a result with its own copies.
     *
     * @param sql the query
     * @param columns columns in the order of the query
     * @param rows rows with a value for each column
     * @param more true if there were more rows
     */
    public TableRows {
        columns = List.copyOf(columns);
        List<List<@Nullable Object>> copies = new ArrayList<>(rows.size());
        rows.forEach(row -> copies.add(Collections.unmodifiableList(new ArrayList<>(row))));
        rows = Collections.unmodifiableList(copies);
    }

    /**
     * Returns a number of the result.
     *
     * @param row row index from 0
     * @param column column index from 0
     * @return empty when the value is null or not a number
     */
    public OptionalDouble number(int row, int column) {
        return rows.get(row).get(column) instanceof Number number
                ? OptionalDouble.of(number.doubleValue())
                : OptionalDouble.empty();
    }

    /**
     * Returns a text of the result.
     *
     * @param row row index from 0
     * @param column column index from 0
     * @return empty when the value is null
     */
    public String text(int row, int column) {
        Object value = rows.get(row).get(column);
        return value == null ? "" : value.toString();
    }

    /**
     * Returns the index of a column.
     *
     * @param name the name in upper or lower case
     * @return the index from 0; -1 when there is no such column
     */
    public int column(String name) {
        return IntStream.range(0, columns.size())
                .filter(at -> columns.get(at).name().equalsIgnoreCase(name))
                .findFirst()
                .orElse(-1);
    }

    /**
     * Returns the rows as a table. Numbers have the unit of their column.
     *
     * @param most maximum number of displayed rows; the others are only counted
     * @return lines of text; the last one ends with a line break too
     */
    public String toText(int most) {
        if (columns.isEmpty() || rows.isEmpty()) {
            return "no rows\n";
        }
        TextTable table = new TextTable(IntStream.range(0, columns.size())
                .mapToObj(at -> (isOfNumbers(at) ? ">" : "")
                        + VisibleText.line(columns.get(at).name()))
                .toArray(String[]::new));
        rows.stream()
                .limit(most)
                .forEach(row -> table.row(IntStream.range(0, columns.size())
                        .mapToObj(at -> shown(row.get(at), columns.get(at)))
                        .toArray(String[]::new)));
        int omitted = rows.size() - most;
        return table.within(TextTable.MESSAGE)
                + (omitted > 0 || more
                        ? "… and %s%s%n"
                                .formatted(more ? "at least " : "", CountText.of(Math.max(omitted, 1), "more row"))
                        : "");
    }

    private boolean isOfNumbers(int column) {
        return rows.stream().map(row -> row.get(column)).allMatch(value -> value == null || value instanceof Number);
    }

    /**
     * Returns a value in readable form.
     *
     * @param value a value of a row
     * @param column the column, which determines the unit
     * @return one line, such as {@code 1.5 ms}; {@code NULL} for null
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static String shown(@Nullable Object value, TableColumn column) {
        if (value == null) {
            return "NULL";
        }
        if (value instanceof Number number) {
            double about = number.doubleValue();
            return column.unit().filter(unit -> unit != Unit.TEXT).isPresent() && about >= 0 && Double.isFinite(about)
                    ? new Quantity(about, column.unit().get()).toString()
                    : plain(number);
        }
        return VisibleText.line(value.toString());
    }

    private static String plain(Number number) {
        return number instanceof BigDecimal decimal
                ? decimal.signum() == 0 ? "0" : decimal.stripTrailingZeros().toPlainString()
                : number.toString();
    }
}
