package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.call.Script;
import dev.neurontest.fake.internal.profiler.table.Schema;
import dev.neurontest.fake.internal.profiler.table.Table;
import dev.neurontest.fake.internal.profiler.table.TableFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The folder of a profile, which applies scripted effects on tables. */
final class TableFolder {

    private final Path folder;
    private final Schema schema;
    private final Call call;

    /** A function that writes the rows of a table. */
    interface Rows {
        void write(TableFile file) throws IOException;
    }

    TableFolder(Path folder, Schema schema, Call call) throws IOException {
        this.folder = folder;
        this.schema = schema;
        this.call = call;
        Files.createDirectories(folder);
    }

    Schema schema() {
        return schema;
    }

    void write(String name, Rows rows) throws IOException {
        write(schema.table(name), rows);
    }

    /** Writes a table to a file, or to several files if a script splits it. */
    void write(Table table, Rows rows) throws IOException {
        Map<String, String> renamed = new HashMap<>();
        long mostBytes = Long.MAX_VALUE;
        long mostRows = Long.MAX_VALUE;
        for (Script script : call.scripts()) {
            List<String> words = script.arguments();
            if (script.effect() == Effect.RENAMED && words.get(0).startsWith(table.name() + '.')) {
                renamed.put(words.get(0).substring(table.name().length() + 1), words.get(1));
            } else if (script.effect() == Effect.NO_TABLE && words.get(0).equals(table.name())) {
                return;
            } else if (script.effect() == Effect.TABLE_BYTES && words.get(0).equals(table.name())) {
                mostBytes = Math.min(mostBytes, Long.parseLong(words.get(1)));
            } else if (script.effect() == Effect.SPLIT && words.get(0).equals(table.name())) {
                mostRows = Long.parseLong(words.get(1));
            }
        }
        long all = 0;
        if (mostRows < Long.MAX_VALUE) {
            try (TableFile file = new TableFile(OutputStream.nullOutputStream(), table, renamed)) {
                rows.write(file);
                all = file.allRows();
            }
        }
        for (long part = 0; part == 0 || part * mostRows < all; part++) {
            String suffix = all > mostRows ? "_" + part : "";
            Path written = folder.resolve(table.name() + suffix + ".parquet");
            OutputStream out = new BufferedOutputStream(Files.newOutputStream(written), 1 << 16);
            try (TableFile file = new TableFile(out, table, renamed, part * mostRows, mostRows)) {
                rows.write(file);
            }
            try (FileChannel channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
                channel.truncate(mostBytes);
            }
        }
    }
}
