package dev.neurontest.internal.report.show;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/** A table of a report. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Table {

    private final String caption;
    private final Limits limits;
    private final List<Column> columns;
    private final List<Row> rows = new ArrayList<>();

    /**
     * A column.
     *
     * @param name heading
     * @param isNumber true if its cells are numbers
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Column(String name, boolean isNumber) {}

    /** A cell. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Cell(Column column, String text) {}

    /**
     * A row.
     *
     * @param isBad true if it needs attention
     * @param cells cells from left to right
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Row(boolean isBad, List<Cell> cells) {}

    /** Creates a table; the name of a column of numbers begins with a number sign. */
    Table(String caption, Limits limits, String... columns) {
        this.caption = caption;
        this.limits = limits;
        this.columns = Arrays.stream(columns)
                .map(name -> new Column(name.replaceFirst("^#", ""), name.startsWith("#")))
                .toList();
    }

    /** Adds a row with a text for each column. */
    void row(boolean isBad, Object... texts) {
        rows.add(new Row(
                isBad,
                IntStream.range(0, texts.length)
                        .mapToObj(i -> new Cell(columns.get(i), String.valueOf(texts[i])))
                        .toList()));
    }

    /** Returns the sentence above the table; empty without one. */
    public String caption() {
        return caption;
    }

    /** Returns the headings from left to right. */
    public List<Column> columns() {
        return columns;
    }

    /** Returns the rows from top to bottom. */
    public TruncatedList<Row> rows() {
        return TruncatedList.of(rows, limits.lines());
    }
}
