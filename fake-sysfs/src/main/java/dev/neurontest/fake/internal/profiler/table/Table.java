package dev.neurontest.fake.internal.profiler.table;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A table of a profile.
 *
 * @param name name of the table and of its file
 * @param description description of a row
 * @param columns columns in order; empty for a table that is never written
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Table(String name, String description, List<Column> columns) {

    /** Creates a table with a copy of the columns. */
    public Table {
        columns = List.copyOf(columns);
    }

    /** Returns this table with an added column. The column replaces one of the same name. */
    public Table with(Column column) {
        List<Column> all = new ArrayList<>(columns);
        all.removeIf(each -> each.name().equals(column.name()));
        all.add(column);
        return new Table(name, description, all);
    }
}
