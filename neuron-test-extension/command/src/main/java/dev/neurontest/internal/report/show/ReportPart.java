package dev.neurontest.internal.report.show;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A part of a report.
 *
 * @param id its name in links
 * @param title its heading
 * @param lead beginning of each line on a console
 * @param lines sentences
 * @param table the same with more detail, for views that have the space; empty without one
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ReportPart(String id, String title, String lead, TruncatedList<String> lines, Optional<Table> table) {

    /**
     * Creates a part of lines.
     *
     * @param title its heading
     * @param lines sentences
     * @param limits space for them
     * @return the part
     */
    public static ReportPart of(String title, List<String> lines, Limits limits) {
        return new ReportPart("", title, "", TruncatedList.of(lines, limits.lines()), Optional.empty());
    }

    /** Returns the same part with a table where that has rows. */
    ReportPart with(Table table) {
        return new ReportPart(
                id, title, lead, lines, table.rows().count() == 0 ? Optional.empty() : Optional.of(table));
    }

    /**
     * Returns the number of lines for the heading.
     *
     * @return zero where a table replaces them
     */
    public int count() {
        return table.isPresent() ? 0 : lines.count();
    }

    /**
     * Returns whether there is something to show.
     *
     * @return false without lines and table
     */
    public boolean isPresent() {
        return table.isPresent() || lines.count() > 0;
    }
}
