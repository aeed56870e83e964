package dev.neurontest.fake.internal.profiler.table;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A table of a profile.
 *
 * @param name its name, and that of its file
 * @param description what its rows are
 * @param columns in order; empty for a table that is never a file
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Table(String name, String description, List<Column> columns) {

    /**
     * Copies the columns.
     *
     * @param name its name
     * @param description what its rows are
     * @param columns in order
     */
    public Table {
        columns = List.copyOf(columns);
    }

    /**
     * The same table with a column more, or with another one of that name.
     *
     * @param column the column
     * @return another table
     */
    public Table with(Column column) {
        List<Column> all = new ArrayList<>(columns);
        all.removeIf(each -> each.name().equals(column.name()));
        all.add(column);
        return new Table(name, description, all);
    }
}
