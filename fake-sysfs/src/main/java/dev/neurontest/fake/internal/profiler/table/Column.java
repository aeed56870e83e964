package dev.neurontest.fake.internal.profiler.table;

import java.util.List;
import org.apiguardian.api.API;

/**
 * A column of a table.
 *
 * @param name name of the column
 * @param type type of its values
 * @param list whether each row has several values; the schema contains such a column, but the stand-in writes it to no file
 * @param required whether every row must have a value
 * @param unit unit such as {@code ns}; empty for none
 * @param allowed the only permitted texts; empty for any
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Column(String name, ColumnType type, boolean list, boolean required, String unit, List<String> allowed) {

    /**
     * Creates a column that rows may lack.
     *
     * @param name name of the column
     * @param type type of its values
     * @return a column without a unit
     */
    public static Column optional(String name, ColumnType type) {
        return new Column(name, type, false, false, "", List.of());
    }

    /** Parses {@code name type unit texts}. The last two may be missing. */
    static Column parse(String line) {
        String[] words = line.split(" ", 4);
        String type = words[1];
        String unit = words.length > 2 && !words[2].equals("-") ? words[2] : "";
        return new Column(
                // Interned, which makes lookups with the string constants of the code fast.
                words[0].intern(),
                ColumnType.of(type.charAt(0)),
                type.contains("[]"),
                type.endsWith("!"),
                unit,
                words.length > 3 ? List.of(words[3].split("\\|")) : List.of());
    }

    /** Returns a description derived from the name. */
    public String description() {
        return name.replace('_', ' ');
    }
}
