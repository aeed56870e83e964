package dev.neurontest.internal.samples;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A format of result files. */
interface ResultFormat {

    /** Returns the name of the format in messages and in the stack of a baseline. */
    String name();

    /** Returns whether an object has the members that only this format has. */
    boolean matches(Map<String, Object> entry);

    /**
     * Reads the content.
     *
     * @param entries all objects of the file, at least one
     * @param started start of the program that wrote the file
     */
    ResultContent read(List<Map<String, Object>> entries, Instant started);

    /** Returns the only entry of a file. With several, the entry of this run is unknown. */
    static Map<String, Object> only(List<Map<String, Object>> entries, ResultContent content) {
        if (entries.size() > 1) {
            content.incomplete(
                    "the file has %s results, so the result of this run is unknown. Use a new file for each run"
                            .formatted(entries.size()));
        }
        return entries.get(entries.size() - 1);
    }
}
