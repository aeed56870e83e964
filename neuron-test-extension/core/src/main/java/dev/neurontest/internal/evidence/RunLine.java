package dev.neurontest.internal.evidence;

import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A line of a run file.
 *
 * @param sequence the sequence number, from 1 without gaps
 * @param time the time of the write
 * @param event the event, which has happened or is about to happen
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RunLine(long sequence, Instant time, RunEvent event) {

    private static final Map<String, Class<? extends Record>> TYPES = Arrays.stream(
                    RunEvent.class.getPermittedSubclasses())
            .filter(type -> type != RunEvent.Unknown.class)
            .collect(Collectors.toMap(LineWriter::name, type -> type.asSubclass(Record.class)));

    /** Returns the type of an event by its name; null for an unknown event. */
    static @Nullable Class<? extends Record> type(String name) {
        return TYPES.get(name);
    }
}
