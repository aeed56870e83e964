package dev.neurontest.profile.event;

import dev.neurontest.profile.table.ProfileTables;
import dev.neurontest.profile.table.TableColumns;
import dev.neurontest.profile.table.TableSession;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is asked of a table of instructions, for a program that asks the same. */
public final class EventStatements {

    private EventStatements() {}

    /** SQL, each with its parameters. */
    public static Map<String, List<String>> of(Path folder) {
        try (TableSession session = ProfileTables.of(folder).session()) {
            EventTables tables = new EventTables(folder, Map.of("transposes", EventQuery.transposes()), 10);
            TableColumns columns = new TableColumns(session, EventTables.INSTRUCTIONS);
            EventSums.Source source = tables.instructions(columns);
            Map<String, List<String>> statements = new LinkedHashMap<>();
            statements.put(EventSums.sql(source), source.parameters());
            statements.put(tables.longest(columns), List.of());
            return statements;
        }
    }
}
