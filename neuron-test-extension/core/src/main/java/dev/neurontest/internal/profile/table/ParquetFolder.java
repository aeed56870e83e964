package dev.neurontest.internal.profile.table;

import dev.neurontest.profile.TablesException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The files of one profile: {@code <Table>.parquet}, or {@code <Table>_0.parquet}, {@code <Table>_1.parquet} and so on. The tool writes no
 * file for an empty table. Symbolic links are ignored.
 *
 * @param tables the files of each table, in order; table names are case-insensitive
 */
@API(status = API.Status.INTERNAL)
public record ParquetFolder(Path folder, Map<String, List<Path>> tables) {

    private static final Pattern FILE = Pattern.compile("([A-Za-z][A-Za-z0-9]*)(?:_([0-9]{1,9}))?\\.parquet");

    /** Maximum number of tables in a folder. The tools write at most 49; more names mean that the folder holds other files. */
    private static final int MOST_TABLES = 200;

    public static ParquetFolder of(Path folder) {
        Map<String, TreeMap<Integer, Path>> parts = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.parquet")) {
            for (Path file : files) {
                Matcher name = FILE.matcher(file.getFileName().toString());
                if (name.matches() && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    int part = name.group(2) == null ? -1 : Integer.parseInt(name.group(2));
                    parts.computeIfAbsent(name.group(1), table -> new TreeMap<>())
                            .put(part, file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            throw new TablesException(
                    TablesException.Kind.NO_TABLE,
                    "The tables in %s cannot be listed (%s). Expected the folder that the profiler's view wrote with --output-format parquet --ingest-only."
                            .formatted(folder, e),
                    e);
        }
        if (parts.size() > MOST_TABLES) {
            throw new TablesException(
                    TablesException.Kind.BROKEN,
                    String.format(
                            Locale.ROOT,
                            "%s has files of %,d tables; a profile has at most 49. Expected the folder of one profile.",
                            folder,
                            parts.size()),
                    null);
        }
        Map<String, List<Path>> tables = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        parts.forEach((table, files) -> tables.put(table, new ArrayList<>(requireOneRun(folder, table, files))));
        return new ParquetFolder(folder, Collections.unmodifiableMap(tables));
    }

    /**
     * Requires that the files of a table are from one run. A second run into the same folder leaves a whole table next to parts of a table.
     */
    private static Collection<Path> requireOneRun(Path folder, String table, TreeMap<Integer, Path> files) {
        boolean whole = files.containsKey(-1);
        if (whole && files.size() > 1 || !whole && files.lastKey() != files.size() - 1) {
            throw new TablesException(
                    TablesException.Kind.BROKEN,
                    "%s contains %s for the table %s. Expected %3$s.parquet alone, or %3$s_0.parquet and so on without a gap: the files of another run are among them. View each trace into a separate folder."
                            .formatted(
                                    folder,
                                    files.values().stream()
                                            .limit(5)
                                            .map(file -> file.getFileName().toString())
                                            .toList(),
                                    table),
                    null);
        }
        return files.values();
    }
}
