package dev.neurontest.profile;

import dev.neurontest.internal.profile.table.ParquetColumns;
import dev.neurontest.internal.profile.table.ParquetSession;
import java.nio.file.Path;

/** What is asked of a table of instructions, for a program that asks the same. */
public final class EventStatements {

    private EventStatements() {}

    /** Returns SQL. */
    public static String of(Path folder) {
        try (ParquetSession session = ProfileTables.of(folder).session()) {
            return EventTables.instructions(new ParquetColumns(session, "Instruction"), true);
        }
    }
}
