package dev.neurontest.fake.internal.profiler.table;

import java.util.List;
import org.apiguardian.api.API;

/**
 * A column of a table.
 *
 * @param name its name
 * @param type what it holds
 * @param list whether each row has several of these; such a column is in the schema, but in no file of the stand-in
 * @param required whether no row may lack it
 * @param unit such as {@code ns}; empty for none
 * @param allowed the only texts that it may have; empty for any
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Column(String name, ColumnType type, boolean list, boolean required, String unit, List<String> allowed) {

    /**
     * One that no row needs to have.
     *
     * @param name its name
     * @param type what it holds
     * @return a column without a unit
     */
    public static Column optional(String name, ColumnType type) {
        return new Column(name, type, false, false, "", List.of());
    }

    /** Reads {@code name type unit texts}, of which the last two may be missing. */
    static Column parse(String line) {
        String[] words = line.split(" ", 4);
        String type = words[1];
        String unit = words.length > 2 && !words[2].equals("-") ? words[2] : "";
        return new Column(
                // The same text as in the code that fills it, so that it is found fast.
                words[0].intern(),
                ColumnType.of(type.charAt(0)),
                type.contains("[]"),
                type.endsWith("!"),
                unit,
                words.length > 3 ? List.of(words[3].split("\\|")) : List.of());
    }

    /**
     * What it means, as far as its name says it.
     *
     * @return a phrase
     */
    public String description() {
        return name.replace('_', ' ');
    }
}
