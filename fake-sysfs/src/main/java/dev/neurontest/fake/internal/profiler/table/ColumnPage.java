package dev.neurontest.fake.internal.profiler.table;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The values of a column in a group of rows: a page, PLAIN, not compressed. */
final class ColumnPage {

    private static final int BITS = 8;

    private final Column column;
    private final String name;
    private final Thrift values = new Thrift();
    // Runs of rows with and without a value; only if rows may lack a value.
    private final Thrift levels = new Thrift();
    private int run;
    private boolean runHasValues;

    private boolean filled;
    private int bits;
    private int bitCount;

    ColumnPage(Column column, String name) {
        this.column = column;
        this.name = name;
    }

    Column column() {
        return column;
    }

    /** Returns the name in the file. */
    String name() {
        return name;
    }

    void put(long value) {
        switch (column.type()) {
            case LONG -> values.littleEndian(value, Long.BYTES);
            case INT -> values.littleEndian(Math.toIntExact(value), Integer.BYTES);
            case FLOAT, WIDE_FLOAT, DOUBLE -> {
                put((double) value);
                return;
            }
            default -> throw wrong("a whole number");
        }
        fill();
    }

    void put(double value) {
        switch (column.type()) {
            case FLOAT -> values.littleEndian(Float.floatToRawIntBits((float) value), Float.BYTES);
            case WIDE_FLOAT, DOUBLE -> values.littleEndian(Double.doubleToRawLongBits(value), Double.BYTES);
            default -> throw wrong("a number with a fraction");
        }
        fill();
    }

    void put(String value) {
        if (column.type() != ColumnType.TEXT) {
            throw wrong("a text");
        }
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        values.littleEndian(text.length, Integer.BYTES).add(text, text.length);
        fill();
    }

    void put(boolean value) {
        if (column.type() != ColumnType.BOOLEAN) {
            throw wrong("yes or no");
        }
        bits |= (value ? 1 : 0) << bitCount++;
        if (bitCount == BITS) {
            flushBits();
        }
        fill();
    }

    private void flushBits() {
        if (bitCount > 0) {
            values.add(bits);
            bits = 0;
            bitCount = 0;
        }
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(column.name() + " holds " + column.type() + ", not " + what);
    }

    private void fill() {
        if (filled) {
            throw new IllegalStateException(column.name() + " has two values in one row");
        }
        filled = true;
    }

    void endRow() {
        if (column.required()) {
            if (!filled) {
                throw new IllegalStateException(column.name() + " is required, and a row lacks it");
            }
        } else {
            if (filled != runHasValues) {
                endRun();
                runHasValues = filled;
            }
            run++;
        }
        filled = false;
    }

    private void endRun() {
        if (run > 0) {
            levels.varint((long) run << 1).add(runHasValues ? 1 : 0);
            run = 0;
        }
    }

    /** Returns the content after the header of the page, and clears the column. */
    Thrift take() {
        Thrift page = new Thrift();
        flushBits();
        if (!column.required()) {
            endRun();
            page.littleEndian(levels.length(), Integer.BYTES).add(levels);
        }
        page.add(values);
        values.clear();
        levels.clear();
        return page;
    }

    /** Returns the column's entry in the footer of the file. */
    Thrift schema() {
        Thrift schema = new Thrift()
                .i32(1, column.type().physical())
                .i32(3, column.required() ? 0 : 1)
                .text(4, name);
        return column.type() == ColumnType.TEXT ? schema.i32(6, 0) : schema;
    }

    /** Puts a value, unless it is null. */
    void putIfThere(@Nullable String value) {
        if (value != null) {
            put(value);
        }
    }
}
