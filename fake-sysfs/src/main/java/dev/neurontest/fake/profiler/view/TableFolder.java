package dev.neurontest.fake.profiler.view;

import dev.neurontest.fake.profiler.call.Call;
import dev.neurontest.fake.profiler.call.Effect;
import dev.neurontest.fake.profiler.call.Script;
import dev.neurontest.fake.profiler.table.Schema;
import dev.neurontest.fake.profiler.table.Table;
import dev.neurontest.fake.profiler.table.TableFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The folder of one profile: what a script says about tables happens here. */
final class TableFolder {

    private static final int TABLES_UNTIL_FULL = 3;
    private static final long BYTES_UNTIL_FULL = 100;

    private final Path folder;
    private final Schema schema;
    private final Call call;
    private final boolean fills;
    private int written;

    /** Writes what there is to say. */
    interface Rows {
        void write(TableFile file) throws IOException;
    }

    TableFolder(Path folder, Schema schema, Call call, boolean fills) throws IOException {
        this.folder = folder;
        this.schema = schema;
        this.call = call;
        this.fills = fills;
        Files.createDirectories(folder);
    }

    Schema schema() {
        return schema;
    }

    void write(String name, Rows rows) throws IOException {
        write(schema.table(name), "", rows);
    }

    /** The suffix is that of a part. */
    void write(Table table, String suffix, Rows rows) throws IOException {
        Map<String, String> renamed = new HashMap<>();
        long limit = fills && written == TABLES_UNTIL_FULL ? BYTES_UNTIL_FULL : Long.MAX_VALUE;
        boolean absent = fills && written > TABLES_UNTIL_FULL;
        for (Script script : call.scripts()) {
            List<String> words = script.arguments();
            if (script.effect() == Effect.RENAMED && words.get(0).startsWith(table.name() + '.')) {
                renamed.put(words.get(0).substring(table.name().length() + 1), words.get(1));
            } else if (script.effect() == Effect.NO_TABLE && words.get(0).equals(table.name())) {
                absent = true;
            } else if (script.effect() == Effect.TABLE_BYTES && words.get(0).equals(table.name())) {
                limit = Math.min(limit, Long.parseLong(words.get(1)));
            }
        }
        written++;
        if (absent) {
            return;
        }
        OutputStream out = Files.newOutputStream(folder.resolve(table.name() + suffix + ".parquet"));
        try (TableFile file =
                new TableFile(new LimitedStream(new BufferedOutputStream(out, 1 << 16), limit), table, renamed)) {
            rows.write(file);
        }
    }
}
