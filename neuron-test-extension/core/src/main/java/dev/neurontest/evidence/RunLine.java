package dev.neurontest.evidence;

import dev.neurontest.json.Json;
import dev.neurontest.json.JsonObject;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
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
            .collect(Collectors.toMap(RunLine::name, type -> type.asSubclass(Record.class)));

    /** What 64 bits of nanoseconds hold, as collectors of telemetry count them: the year 2262. */
    private static final Instant LATEST = Instant.EPOCH.plusNanos(Long.MAX_VALUE);

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

    /** The part of a line that does not depend on when it is written. */
    static String body(RunEvent event) {
        return Json.text(json -> {
            json.writeStartObject();
            json.writeName("event");
            json.writeString(name(event.getClass()));
            RecordJson.writeFields(json, (Record) event);
            json.writeEndObject();
        });
    }

    static byte[] bytes(long sequence, Instant time, String body) {
        return ("{\"seq\":" + sequence + ",\"time\":\"" + time + "\"," + body.substring(1) + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Gives null when these bytes, without the line's end, are no whole line. */
    static @Nullable RunLine parse(byte[] line) {
        Map<String, @Nullable Object> fields = Json.parse(line, WHOLE);
        if (fields == null
                || !(fields.remove("seq") instanceof Number sequence)
                || !(fields.remove("time") instanceof String time)
                || !(fields.remove("event") instanceof String type)) {
            return null;
        }
        try {
            Instant written = LineTime.parse(time);
            return written.isBefore(Instant.EPOCH) || written.isAfter(LATEST)
                    ? null
                    : new RunLine(sequence.longValue(), written, event(type, fields));
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static RunEvent event(String type, Map<String, @Nullable Object> fields) {
        Class<? extends Record> known = TYPES.get(type);
        Record event = known == null ? null : RecordJson.of(known).read(fields);
        return event == null ? new RunEvent.Unknown(type, new JsonObject(Json.text(fields))) : (RunEvent) event;
    }

    private static String name(Class<?> type) {
        String name = type.getSimpleName();
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }
}
