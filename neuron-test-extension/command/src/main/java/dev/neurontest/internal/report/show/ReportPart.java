package dev.neurontest.internal.report.show;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A part of a report.
 *
 * @param id name in links
 * @param title heading
 * @param lead beginning of each line on a console
 * @param lines sentences
 * @param table the same content in more detail, for views with enough space; empty without one
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ReportPart(String id, String title, String lead, TruncatedList<String> lines, Optional<Table> table) {

    /**
     * Creates a part with lines.
     *
     * @param title heading
     * @param lines sentences
     * @param limits space limits
     */
    public static ReportPart of(String title, List<String> lines, Limits limits) {
        return new ReportPart("", title, "", TruncatedList.of(lines, limits.lines()), Optional.empty());
    }

    /** Returns a copy with a table, if the table has rows. */
    ReportPart with(Table table) {
        return new ReportPart(
                id, title, lead, lines, table.rows().count() == 0 ? Optional.empty() : Optional.of(table));
    }

    /**
     * Returns the number of lines for the heading.
     *
     * @return zero when a table replaces the lines
     */
    public int count() {
        return table.isPresent() ? 0 : lines.count();
    }

    /** Checks whether the part has lines or a table. */
    public boolean isPresent() {
        return table.isPresent() || lines.count() > 0;
    }
}
