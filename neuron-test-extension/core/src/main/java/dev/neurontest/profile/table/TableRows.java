package dev.neurontest.profile.table;

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
 * What a query found.
 *
 * @param sql the query
 * @param columns in the order of the query
 * @param rows each with a value for each column: {@link Long}, {@link Integer}, {@link Double}, {@link Float}, {@link BigInteger},
 *     {@link BigDecimal}, {@link Boolean}, {@link String}, or null
 * @param more whether there were more than the {@value #MOST} rows that are kept
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TableRows(String sql, List<TableColumn> columns, List<List<@Nullable Object>> rows, boolean more) {

    /** Rows that are kept. */
    public static final int MOST = 10_000;

    /**
     * Keeps its own copies.
     *
     * @param sql the query
     * @param columns in the order of the query
     * @param rows with a value for each column
     * @param more whether there were more
     */
    public TableRows {
        columns = List.copyOf(columns);
        List<List<@Nullable Object>> copies = new ArrayList<>(rows.size());
        rows.forEach(row -> copies.add(Collections.unmodifiableList(new ArrayList<>(row))));
        rows = Collections.unmodifiableList(copies);
    }

    /**
     * A number of the answer.
     *
     * @param row from 0
     * @param column from 0
     * @return empty when it is null or no number
     */
    public OptionalDouble number(int row, int column) {
        return rows.get(row).get(column) instanceof Number number
                ? OptionalDouble.of(number.doubleValue())
                : OptionalDouble.empty();
    }

    /**
     * A text of the answer.
     *
     * @param row from 0
     * @param column from 0
     * @return empty for null
     */
    public String text(int row, int column) {
        Object value = rows.get(row).get(column);
        return value == null ? "" : value.toString();
    }

    /**
     * Where a column is.
     *
     * @param name in upper or lower case
     * @return from 0; -1 when there is none of that name
     */
    public int column(String name) {
        return IntStream.range(0, columns.size())
                .filter(at -> columns.get(at).name().equalsIgnoreCase(name))
                .findFirst()
                .orElse(-1);
    }
}
