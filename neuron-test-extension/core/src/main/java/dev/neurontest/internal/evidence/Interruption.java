package dev.neurontest.internal.evidence;

import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.json.RecordWriter;
import dev.neurontest.internal.judgement.Measurement;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The state of a test at the end of its time, before its thread was interrupted.
 *
 * @param phase the phase of the test
 * @param thread the name of the thread to interrupt
 * @param devices the state of each device of the test, a line each
 * @param counters the counter changes until then
 * @param threads the stack traces of all threads
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Interruption(Phase phase, String thread, List<String> devices, String counters, String threads)
        implements Measurement {

    private static final int VERSION = 1;

    /** Creates the record with a copy of the list. */
    public Interruption {
        devices = List.copyOf(devices);
    }

    /**
     * Returns the kind of this measurement.
     *
     * @return {@code timeout}
     */
    @Override
    public String kind() {
        return "timeout";
    }

    @Override
    public String toText() {
        StringBuilder text = new StringBuilder("The test ran out of time in its %s; thread \"%s\" was interrupted.\n\n"
                .formatted(phase.name().toLowerCase(Locale.ROOT), thread));
        devices.forEach(device -> text.append(device).append('\n'));
        return text.append("\nCounters until then:\n")
                .append(counters)
                .append("\nThreads:\n\n")
                .append(threads)
                .toString();
    }

    /**
     * Returns an object with {@code version}, {@code kind}, {@code phase}, {@code thread}, {@code devices}, {@code counters} and
     * {@code threads}, the last two as texts.
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
