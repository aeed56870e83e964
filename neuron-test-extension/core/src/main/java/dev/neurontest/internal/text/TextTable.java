package dev.neurontest.internal.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/** A table of text with aligned columns. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TextTable {

    /** Width of a message in characters, for logs and terminals. */
    public static final int MESSAGE = 120;

    private static final String GAP = "  ";

    /**
     * Least widths of a column. Columns are first narrowed to the first width. Only when all have this width are they narrowed further, to
     * the second.
     */
    private static final int[] LEAST = {34, 16};

    private final boolean[] right;
    private final int[] widths;
    private final List<String[]> rows = new ArrayList<>();
    private int limit = Integer.MAX_VALUE;

    /**
     * Creates a table without rows.
     *
     * @param headings headings of the columns; a heading that begins with {@code >} aligns its column to the right
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
     * @param cells one cell for each column
     */
    public TextTable row(String... cells) {
        for (int column = 0; column < widths.length; column++) {
            widths[column] = Math.max(widths[column], cells[column].length());
        }
        rows.add(cells);
        return this;
    }

    /**
     * Limits the width. Text that is too long for its column continues below; the last column is narrowed first. Columns with right
     * alignment contain numbers and are not narrowed.
     *
     * @param width characters of a line; a table with many numbers may still be wider
     */
    public TextTable within(int width) {
        limit = width;
        return this;
    }

    /** Returns the table as lines, each with a line feed. */
    @Override
    public String toString() {
        int[] fitting = fitting();
        StringBuilder text = new StringBuilder();
        for (String[] cells : rows) {
            List<List<String>> parts = IntStream.range(0, cells.length)
                    .mapToObj(column -> parts(cells[column], fitting[column]))
                    .toList();
            int height = parts.stream().mapToInt(List::size).max().orElse(0);
            for (int line = 0; line < height; line++) {
                text.append(line(parts, line, fitting).stripTrailing()).append('\n');
            }
        }
        return text.toString();
    }

    private int[] fitting() {
        int[] fitting = widths.clone();
        int over = IntStream.of(widths).sum() + GAP.length() * (widths.length - 1) - limit;
        for (int least : LEAST) {
            for (int column = fitting.length - 1; column >= 0; column--) {
                int given = right[column] ? 0 : Math.max(0, Math.min(over, fitting[column] - least));
                fitting[column] -= given;
                over -= given;
            }
        }
        return fitting;
    }

    private String line(List<List<String>> parts, int line, int[] fitting) {
        StringBuilder text = new StringBuilder();
        for (int column = 0; column < fitting.length; column++) {
            String cell = line < parts.get(column).size() ? parts.get(column).get(line) : "";
            String padding = " ".repeat(fitting[column] - cell.length());
            text.append(column == 0 ? "" : GAP)
                    .append(right[column] ? padding : "")
                    .append(cell)
                    .append(right[column] ? "" : padding);
        }
        return text.toString();
    }

    private static List<String> parts(String cell, int width) {
        List<String> parts = new ArrayList<>();
        String remaining = cell;
        while (remaining.length() > width) {
            int end = end(remaining, width);
            parts.add(remaining.substring(0, end));
            remaining = remaining.substring(end).stripLeading();
        }
        parts.add(remaining);
        return parts;
    }

    /** Finds the end of a line: after a comma, else before a space, else after a bracket or a slash, else at the width. */
    private static int end(String text, int width) {
        int comma = text.lastIndexOf(", ", width - 1) + 1;
        int space = text.lastIndexOf(' ', width);
        while (space > 0 && isQuoted(text, space)) {
            space = text.lastIndexOf(' ', space - 1);
        }
        int bracket = text.lastIndexOf('(', width - 1) + 1;
        int slash = text.lastIndexOf('/', width - 1) + 1;
        return IntStream.of(comma, space, bracket, slash)
                .filter(end -> end > 1)
                .findFirst()
                .orElse(width);
    }

    /** Checks whether a place is within quotes. A value such as {@code "15 ms"} is not broken. */
    private static boolean isQuoted(String text, int place) {
        return text.substring(0, place).chars().filter(each -> each == '"').count() % 2 == 1;
    }
}
