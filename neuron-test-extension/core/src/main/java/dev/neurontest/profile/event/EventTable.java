package dev.neurontest.profile.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Aligned columns; the last one to the left, the others to the right. */
final class EventTable {

    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();
    private final int[] widths;

    EventTable(String... headings) {
        widths = new int[headings.length];
        row(headings);
    }

    void row(String... cells) {
        for (int column = 0; column < widths.length; column++) {
            widths[column] = Math.max(widths[column], cells[column].length());
        }
        rows.add(cells);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        int last = widths.length - 1;
        for (String[] cells : rows) {
            for (int column = 0; column < last; column++) {
                text.append(" ".repeat(widths[column] - cells[column].length()))
                        .append(cells[column])
                        .append(GAP);
            }
            text.append(cells[last]).append('\n');
        }
        return text.toString();
    }

    static String percent(double fraction) {
        return String.format(Locale.ROOT, "%.1f %%", fraction * 100);
    }
}
