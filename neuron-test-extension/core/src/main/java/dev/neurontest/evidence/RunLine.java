package dev.neurontest.evidence;

import dev.neurontest.json.Json;
import dev.neurontest.json.JsonObject;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A line of a run file.
 *
 * @param sequence counts from 1 without gaps
 * @param time when it was written
 * @param event what happened, or is about to happen
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RunLine(long sequence, Instant time, RunEvent event) {

    private static final Map<String, Class<? extends Record>> TYPES = Arrays.stream(
                    RunEvent.class.getPermittedSubclasses())
            .filter(type -> type != RunEvent.Unknown.class)
            .collect(Collectors.toMap(LineWriter::name, type -> type.asSubclass(Record.class)));

    /** Members that are kept as they are written. */
    private static final Set<String> WHOLE = TYPES.values().stream()
            .flatMap(type -> Arrays.stream(type.getRecordComponents()))
            .filter(component -> component.getType() == JsonObject.class)
            .map(RecordComponent::getName)
            .collect(Collectors.toSet());

    /**
     * Whether this version knows such an event.
     *
     * @param type its name in the file, such as {@code testFinished}
     * @return true also when a line of it lacks something and is {@link RunEvent.Unknown}
     */
    public static boolean isKnown(String type) {
        return TYPES.containsKey(type);
    }

    static boolean hasCores(String type) {
        Class<? extends Record> known = TYPES.get(type);
        return known != null && RunEvent.OnCores.class.isAssignableFrom(known);
    }

    /** Gives null when these bytes are no JSON object. */
    static @Nullable Map<String, @Nullable Object> members(byte[] line) {
        return Json.parse(line, WHOLE);
    }

    /** Takes an event as {@link RunEvent.Unknown} that is not known, or lacks something. */
    static RunEvent event(String type, Map<String, @Nullable Object> fields) {
        Class<? extends Record> known = TYPES.get(type);
        Record event = known == null ? null : RecordJson.of(known).read(fields);
        return event == null ? new RunEvent.Unknown(type, new JsonObject(Json.text(fields))) : (RunEvent) event;
    }
}
