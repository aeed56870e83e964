package dev.neurontest.profile;

import dev.neurontest.internal.profile.table.ParquetColumns;
import dev.neurontest.internal.profile.table.ParquetSession;
import java.nio.file.Path;

/** The SQL of a table of instructions, for a program with the same query. */
public final class EventStatements {

    private EventStatements() {}

    /** Returns the SQL. */
    public static String of(Path folder) {
        try (ParquetSession session = ProfileTables.of(folder).session()) {
            return EventTables.instructions(new ParquetColumns(session, "Instruction"), true);
        }
    }
}
