package dev.neurontest.internal.evidence;

import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.json.RecordWriter;
import dev.neurontest.internal.judgement.Measurement;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * What was going on when the time of a test was over, before its thread was interrupted.
 *
 * @param phase in which the test was
 * @param thread the name of the thread that was to be interrupted
 * @param devices the condition of each of its devices, a line each
 * @param counters what had moved until then
 * @param threads what all threads were doing
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Interruption(Phase phase, String thread, List<String> devices, String counters, String threads)
        implements Measurement {

    private static final int VERSION = 1;

    /**
     * Keeps its own copy.
     *
     * @param phase in which the test was
     * @param thread the name of the thread that was to be interrupted
     * @param devices the condition of each of its devices, a line each
     * @param counters what had moved until then
     * @param threads what all threads were doing
     */
    public Interruption {
        devices = List.copyOf(devices);
    }

    /**
     * It comes as {@code timeout}.
     *
     * @return {@code timeout}
     */
    @Override
    public String kind() {
        return "timeout";
    }

    @Override
    public String toText() {
        StringBuilder text =
                new StringBuilder("The time of the test was over in its %s; thread \"%s\" was interrupted.\n\n"
                        .formatted(phase.name().toLowerCase(Locale.ROOT), thread));
        devices.forEach(device -> text.append(device).append('\n'));
        return text.append("\nCounters until then:\n")
                .append(counters)
                .append("\nThreads:\n\n")
                .append(threads)
                .toString();
    }

    /**
     * An object with {@code version}, {@code kind}, {@code phase}, {@code thread}, {@code devices}, {@code counters} and
     * {@code threads}, the last two as texts.
     *
     * @return one JSON object
     */
    @Override
    public String toJson() {
        return Json.text(json -> {
            json.writeStartObject();
            json.writeNumberProperty("version", VERSION);
            json.writeStringProperty("kind", kind());
            new RecordWriter(json).members(this, Set.of());
            json.writeEndObject();
        });
    }
}
