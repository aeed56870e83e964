package dev.neurontest.text;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** Aligned columns of text. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TextTable {

    private static final String GAP = "  ";

    private final boolean[] right;
    private final int[] widths;
    private final List<String[]> rows = new ArrayList<>();

    /**
     * A table without rows.
     *
     * @param headings of the columns; one that begins with {@code >} aligns its column to the right
     */
    public TextTable(String... headings) {
        right = new boolean[headings.length];
        widths = new int[headings.length];
        String[] names = new String[headings.length];
        for (int column = 0; column < headings.length; column++) {
            right[column] = headings[column].startsWith(">");
            names[column] = headings[column].substring(right[column] ? 1 : 0);
        }
        row(names);
    }

    /**
     * Adds a row.
     *
     * @param cells as many as there are columns
     * @return this
     */
    public TextTable row(String... cells) {
        for (int column = 0; column < widths.length; column++) {
            widths[column] = Math.max(widths[column], cells[column].length());
        }
        rows.add(cells);
        return this;
    }

    /**
     * The table.
     *
     * @return lines, the last one ended too
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (String[] cells : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < cells.length; column++) {
                String padding = " ".repeat(widths[column] - cells[column].length());
                line.append(column == 0 ? "" : GAP)
                        .append(right[column] ? padding : "")
                        .append(cells[column])
                        .append(right[column] ? "" : padding);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
