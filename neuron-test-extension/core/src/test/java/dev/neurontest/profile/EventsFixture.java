package dev.neurontest.profile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Events for tests; times are in microseconds. */
public final class EventsFixture {

    private final TreeMap<String, String> about = new TreeMap<>();
    private final List<EventRow> rows = new ArrayList<>();
    private OptionalLong execution = OptionalLong.empty();
    private OptionalLong spilled = OptionalLong.empty();

    private EventsFixture() {}

    public static EventsFixture events() {
        return new EventsFixture();
    }

    public EventsFixture about(String part, String value) {
        about.put(part, value);
        return this;
    }

    public EventsFixture execution(long micros) {
        execution = OptionalLong.of(micros * 1000);
        return this;
    }

    public EventsFixture spilled(long bytes) {
        spilled = OptionalLong.of(bytes);
        return this;
    }

    public EventsFixture line(String name, long micros, long count, long... bytes) {
        return add(Grouping.LINE, name, micros, count, bytes);
    }

    public EventsFixture layer(String name, long micros, long count, long... bytes) {
        return add(Grouping.LAYER, name, micros, count, bytes);
    }

    public EventsFixture opcode(String name, long micros, long count) {
        return add(Grouping.OPCODE, name, micros, count);
    }

    public EventsFixture engine(String name, long micros, long count) {
        return add(Grouping.ENGINE, name, micros, count);
    }

    public EventsFixture queue(String name, long micros, long count) {
        return add(Grouping.QUEUE, name, micros, count);
    }

    private EventsFixture add(Grouping by, String name, long micros, long count, long... bytes) {
        rows.add(new EventRow(
                by, name, micros * 1000, count, bytes.length == 0 ? OptionalLong.empty() : OptionalLong.of(bytes[0])));
        return this;
    }

    public ProfileEvents made() {
        return new ProfileEvents(Path.of("events.json"), about, execution, spilled, rows, List.of());
    }
}
