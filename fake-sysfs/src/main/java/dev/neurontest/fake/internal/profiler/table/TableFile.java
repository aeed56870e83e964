package dev.neurontest.fake.internal.profiler.table;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A table written as a Parquet file, row by row. For each row the caller puts the columns with a value, then calls
 * {@link #endRow()}. Columns of lists are omitted. A group of rows is kept in memory.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TableFile implements Closeable {

    private static final byte[] MARK = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final int ROWS_OF_GROUP = 50_000;
    private static final int PLAIN = 0;
    private static final int RUNS = 3;

    private final OutputStream out;
    private final String table;
    private final Map<String, ColumnPage> columns = new LinkedHashMap<>();
    private final ColumnPage[] pages;
    private final List<Thrift> groups = new ArrayList<>();
    private final long firstRow;
    private final long mostRows;
    private long offset;
    private long rows;
    private long allRows;
    private int rowsOfGroup;

    /**
     * Creates the file.
     *
     * @param out the target, closed with this object
     * @param table name and columns of the table
     * @param renamed names of columns in the file that differ from the schema
     * @throws IOException if it cannot be written
     */
    public TableFile(OutputStream out, Table table, Map<String, String> renamed) throws IOException {
        this(out, table, renamed, 0, Long.MAX_VALUE);
    }

    /**
     * Creates the file of a part of a table. The caller puts all rows of the table; other rows are discarded.
     *
     * @param out the target, closed with this object
     * @param table name and columns of the table
     * @param renamed names of columns in the file that differ from the schema
     * @param firstRow index of the first row of the part
     * @param mostRows maximum number of rows of the part
     * @throws IOException if it cannot be written
     */
    public TableFile(OutputStream out, Table table, Map<String, String> renamed, long firstRow, long mostRows)
            throws IOException {
        this.out = out;
        this.table = table.name();
        this.firstRow = firstRow;
        this.mostRows = mostRows;
        for (Column column : table.columns()) {
            if (!column.list()) {
                String name = column.name();
                columns.put(name, new ColumnPage(column, renamed.getOrDefault(name, name)));
            }
        }
        pages = columns.values().toArray(new ColumnPage[0]);
        write(MARK, MARK.length);
    }

    /**
     * Puts a value into the row.
     *
     * @param column name in the schema
     * @param value value for a column of integers or floats
     * @return this object
     * @throws IllegalArgumentException if the column does not exist or has another type
     */
    public TableFile put(String column, long value) {
        ColumnPage page = column(column);
        if (isInPart()) {
            page.put(value);
        }
        return this;
    }

    /**
     * Puts a value into the row.
     *
     * @param column name in the schema
     * @param value value for a column of floats or doubles
     * @return this object
     * @throws IllegalArgumentException if the column does not exist or has another type
     */
    public TableFile put(String column, double value) {
        ColumnPage page = column(column);
        if (isInPart()) {
            page.put(value);
        }
        return this;
    }

    /**
     * Puts a value into the row.
     *
     * @param column name in the schema
     * @param value value for a column of texts; null for none
     * @return this object
     * @throws IllegalArgumentException if the column does not exist or has another type
     */
    public TableFile put(String column, @Nullable String value) {
        ColumnPage page = column(column);
        if (isInPart()) {
            page.putIfThere(value);
        }
        return this;
    }

    /**
     * Puts a value into the row.
     *
     * @param column name in the schema
     * @param value value for a boolean column
     * @return this object
     * @throws IllegalArgumentException if the column does not exist or has another type
     */
    public TableFile put(String column, boolean value) {
        ColumnPage page = column(column);
        if (isInPart()) {
            page.put(value);
        }
        return this;
    }

    private boolean isInPart() {
        return allRows >= firstRow && allRows - firstRow < mostRows;
    }

    /** Returns the number of rows of the table so far, with those of other parts. */
    public long allRows() {
        return allRows;
    }

    private ColumnPage column(String name) {
        ColumnPage column = columns.get(name);
        if (column == null) {
            throw new IllegalArgumentException(table + " has no column " + name + " that is written");
        }
        return column;
    }

    /**
     * Ends the row.
     *
     * @throws IOException if the buffered rows cannot be written
     * @throws IllegalStateException if the row lacks a required value
     */
    public void endRow() throws IOException {
        boolean isInPart = isInPart();
        allRows++;
        if (!isInPart) {
            return;
        }
        for (ColumnPage column : pages) {
            column.endRow();
        }
        rows++;
        if (++rowsOfGroup == ROWS_OF_GROUP) {
            endGroup();
        }
    }

    private void endGroup() throws IOException {
        if (rowsOfGroup == 0) {
            return;
        }
        List<Thrift> chunks = new ArrayList<>();
        long start = offset;
        for (ColumnPage column : columns.values()) {
            long page = offset;
            Thrift body = column.take();
            Thrift about =
                    new Thrift().i32(1, rowsOfGroup).i32(2, PLAIN).i32(3, RUNS).i32(4, RUNS);
            Thrift header = new Thrift()
                    .i32(1, 0)
                    .i32(2, body.length())
                    .i32(3, body.length())
                    .struct(5, about)
                    .add(0);
            write(header.array(), header.length());
            write(body.array(), body.length());
            Thrift meta = new Thrift()
                    .i32(1, column.column().type().physical())
                    .i32s(2, PLAIN, RUNS)
                    .texts(3, column.name())
                    .i32(4, 0)
                    .i64(5, rowsOfGroup)
                    .i64(6, offset - page)
                    .i64(7, offset - page)
                    .i64(9, page);
            chunks.add(new Thrift().i64(2, page).struct(3, meta));
        }
        groups.add(new Thrift().structs(1, chunks).i64(2, offset - start).i64(3, rowsOfGroup));
        rowsOfGroup = 0;
    }

    private void write(byte[] bytes, int length) throws IOException {
        out.write(bytes, 0, length);
        offset += length;
    }

    /** Writes the footer and closes the file. */
    @Override
    public void close() throws IOException {
        try (out) {
            endGroup();
            List<Thrift> schema = new ArrayList<>();
            schema.add(new Thrift().text(4, table).i32(5, columns.size()));
            columns.values().forEach(column -> schema.add(column.schema()));
            Thrift footer = new Thrift()
                    .i32(1, 1)
                    .structs(2, schema)
                    .i64(3, rows)
                    .structs(4, groups)
                    .text(6, "fake-sysfs")
                    .add(0);
            int length = footer.length();
            footer.littleEndian(length, Integer.BYTES).add(MARK, MARK.length);
            write(footer.array(), footer.length());
        }
    }
}
