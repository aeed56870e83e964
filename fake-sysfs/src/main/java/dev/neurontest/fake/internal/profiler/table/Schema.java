package dev.neurontest.fake.internal.profiler.table;

import dev.neurontest.fake.internal.profiler.call.Work;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** All tables of a profile, as listed in {@code tables.txt}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Schema {

    private final List<Table> tables = new ArrayList<>();

    /** Creates the schema from the list. */
    public Schema() {
        String name = "";
        String description = "";
        List<Column> columns = new ArrayList<>();
        for (String line : Work.lines("tables.txt")) {
            int colon = line.indexOf(": ");
            if (colon < 0) {
                columns.add(Column.parse(line));
                continue;
            }
            add(name, description, columns);
            name = line.substring(0, colon);
            description = line.substring(colon + 2);
            columns.clear();
        }
        add(name, description, columns);
    }

    private void add(String name, String description, List<Column> columns) {
        if (!name.isEmpty()) {
            tables.add(new Table(name, description, columns));
        }
    }

    /** Returns the tables in order. */
    public List<Table> tables() {
        return tables;
    }

    /**
     * Returns a table by its name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public Table table(String name) {
        return tables.stream()
                .filter(table -> table.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a profile has no table " + name));
    }

    /**
     * Returns the schema as the tool prints it: an OpenAPI document in YAML for each table. The members inside a document are unverified.
     *
     * @return documents, separated by three dashes
     */
    public String toYaml() {
        StringBuilder yaml = new StringBuilder();
        for (Table table : tables) {
            yaml.append(yaml.isEmpty() ? "" : "---\n").append("openapi: 3.0.0\ncomponents:\n  schemas:\n    ");
            yaml.append(table.name()).append(":\n      type: object\n      properties:\n");
            for (Column column : table.columns()) {
                yaml.append("        ").append(column.name()).append(":\n          type: ");
                yaml.append(column.type().word()).append('\n');
            }
        }
        return yaml.toString();
    }
}
