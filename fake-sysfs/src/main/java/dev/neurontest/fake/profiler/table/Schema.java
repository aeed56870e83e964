package dev.neurontest.fake.profiler.table;

import dev.neurontest.fake.profiler.call.Work;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** All tables of a profile, as {@code tables.txt} has them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Schema {

    private final List<Table> tables = new ArrayList<>();

    /** Reads the list. */
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

    /**
     * The tables.
     *
     * @return in order
     */
    public List<Table> tables() {
        return tables;
    }

    /**
     * Looks a table up.
     *
     * @param name its name
     * @return the table
     * @throws IllegalArgumentException when there is none
     */
    public Table table(String name) {
        return tables.stream()
                .filter(table -> table.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no table of a profile is called " + name));
    }

    /**
     * What {@code --show-profile-schema} prints: a document for OpenAPI, then one for each table under its name. The genuine tool
     * joins files by three hyphens, also where a file does not end with a line.
     *
     * @param version of the schema
     * @return YAML
     */
    public String yaml(String version) {
        StringBuilder yaml = new StringBuilder("openapi: 3.0.0\ninfo:\n  title: Tables of a profile\n  version: ");
        yaml.append(version).append("\npaths: {}\ncomponents:\n  schemas:\n");
        for (Table table : tables) {
            yaml.append("    ").append(table.name()).append(":\n      $ref: '");
            yaml.append(table.name()).append(".yaml#/").append(table.name()).append("'\n");
        }
        for (Table table : tables) {
            yaml.append("---");
            add(yaml, table);
        }
        return yaml.append('\n').toString();
    }

    /** Its last line is without an end. */
    private static void add(StringBuilder yaml, Table table) {
        yaml.append(table.name()).append(":\n  description: ").append(table.description());
        yaml.append("\n  type: object");
        List<Column> required =
                table.columns().stream().filter(Column::required).toList();
        if (!required.isEmpty()) {
            yaml.append("\n  required:");
            for (Column column : required) {
                yaml.append("\n    - ").append(column.name());
            }
        }
        yaml.append(table.columns().isEmpty() ? "\n  properties: {}" : "\n  properties:");
        for (Column column : table.columns()) {
            yaml.append("\n    ").append(column.name()).append(":\n      description: ");
            yaml.append(column.description());
            String indent = "\n      ";
            if (column.list()) {
                yaml.append("\n      type: array\n      items:");
                indent = "\n        ";
            }
            yaml.append(indent).append("type: ").append(column.type().word());
            if (!column.type().format().isEmpty()) {
                yaml.append(indent).append("format: ").append(column.type().format());
            }
            if (!column.unit().isEmpty()) {
                yaml.append("\n      x-unit: ").append(column.unit());
            }
            if (!column.allowed().isEmpty()) {
                yaml.append("\n      enum: [")
                        .append(String.join(", ", column.allowed()))
                        .append(']');
            }
        }
    }
}
