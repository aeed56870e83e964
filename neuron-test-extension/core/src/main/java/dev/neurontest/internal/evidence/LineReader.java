package dev.neurontest.internal.evidence;

import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.json.JsonException;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.json.Unwrapped;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads the lines of a run file one after the other, as {@link LineWriter} writes them. */
final class LineReader {

    /** What 64 bits of nanoseconds hold, as collectors of telemetry count them: the year 2262. */
    private static final Instant LATEST = Instant.EPOCH.plusNanos(Long.MAX_VALUE);

    /** The events of lines without one, by their first member. */
    private static final Map<String, String> IMPLIED = Map.of(
            "phase", LineWriter.name(RunEvent.PhaseStarted.class),
            "outcome", LineWriter.name(RunEvent.TestFinished.class),
            "cores", LineWriter.name(RunEvent.TestFinished.class));

    private final Map<Long, Seen> tests = new HashMap<>();
    private @Nullable Instant time;
    private @Nullable Long unnamed;
    private @Nullable Long missing;
    private long sequence;
    private long skipped;

    /** A test of the lines above, with its cores. */
    private record Seen(TestId test, @Nullable List<String> cores) {}

    /** The test of its first line. */
    private record Named(@Nullable Long number, @Unwrapped TestId id) {}

    /** Gives null when these bytes, without the line's end, are no whole line. */
    @Nullable
    RunLine next(byte[] line) {
        unnamed = null;
        missing = null;
        try (JsonParser json = Json.line(line)) {
            RunLine read = json.nextToken() == JsonToken.START_OBJECT ? new Line(json).read() : null;
            if (read != null) {
                sequence = read.sequence();
                skipped = 0;
                return read;
            }
        } catch (JacksonException | JsonException | DateTimeException | ArithmeticException none) {
            // As a line that is none.
        }
        skip();
        return null;
    }

    /** Passes over a line that cannot be read. */
    void skip() {
        skipped++;
    }

    /** The event that was to come instead of the last one, when some were not written. */
    @Nullable
    Long missing() {
        return missing;
    }

    /** The number of a test, the first time that a line has it and none above says which test that is. */
    @Nullable
    Long unnamed() {
        return unnamed;
    }

    private static <T> T value(JsonParser json, Class<T> type) {
        return RecordReader.EXACT.read(json, type);
    }

    /** The events of such a test are not to be lost. */
    private static TestId unreadable(long number) {
        return new TestId("[test:" + number + "]", "test " + number + ", whose name cannot be read");
    }

    /** A line, and the reader of its members. */
    private final class Line {

        private final JsonParser json;
        private long number = sequence + 1 + skipped;
        private @Nullable Instant written;
        private @Nullable String type;
        private @Nullable Long test;
        private @Nullable List<String> cores;
        private RecordReader.@Nullable Members<? extends Record> members;
        private boolean isUnfit;

        Line(JsonParser json) {
            this.json = json;
        }

        @Nullable
        RunLine read() {
            for (String name = json.nextName(); name != null && !isUnfit; name = json.nextName()) {
                json.nextToken();
                switch (name) {
                    case "seq" -> number = value(json, Long.class);
                    case "time" -> time = written = inRange(LineTime.parse(value(json, String.class)));
                    case "us" -> written = inRange(later(value(json, Long.class)));
                    case "event" -> begin(value(json, String.class));
                    default -> member(name);
                }
            }
            if (written == null || type == null || !isWhole()) {
                return null;
            }
            missing = number > sequence && number <= sequence + 1 + skipped ? null : (Long) (sequence + 1);
            return new RunLine(number, written, event(type));
        }

        private Instant later(long micros) {
            if (time == null) {
                throw new DateTimeException("no line above has a time");
            }
            return time.plus(micros, ChronoUnit.MICROS);
        }

        private Instant inRange(Instant instant) {
            if (instant.isBefore(Instant.EPOCH) || instant.isAfter(LATEST)) {
                throw new DateTimeException("no time of a run");
            }
            return instant;
        }

        private void begin(@Nullable String event) {
            type = event;
            Class<? extends Record> known = event == null ? null : RunLine.type(event);
            members = known == null ? null : RecordReader.EXACT.begin(known);
        }

        private void member(String name) {
            try {
                if (name.equals("test") && (members == null || members.isOf(RunEvent.OfTest.class))) {
                    test();
                    return;
                }
                if (type == null) {
                    begin(IMPLIED.get(name));
                }
                if (name.equals("cores") && (members == null || members.isOf(RunEvent.OnCores.class))) {
                    cores = cores();
                } else if (members == null) {
                    json.skipChildren();
                } else {
                    isUnfit = !members.read(name, json);
                }
            } catch (JsonException unfit) {
                isUnfit = true;
            }
        }

        private List<String> cores() {
            if (json.currentToken() != JsonToken.START_ARRAY) {
                throw RecordReader.unexpected(json, "is no list", "one");
            }
            List<String> names = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                names.add(value(json, String.class));
            }
            return List.copyOf(names);
        }

        private void test() {
            if (json.currentToken() == JsonToken.START_OBJECT) {
                Named named = value(json, Named.class);
                test = named.number == null ? -1 : named.number;
                tests.put(test, new Seen(named.id, null));
            } else {
                test = value(json, Long.class);
            }
        }

        private boolean isWhole() {
            while (!json.streamReadContext().inRoot()) {
                json.nextToken();
            }
            return json.nextToken() == null;
        }

        private RunEvent event(String type) {
            List<String> latest = cores;
            if (test != null && latest != null) {
                // Those of an event that is unknown, or lacks something, count for the lines below too.
                tests.computeIfPresent(test, (key, seen) -> new Seen(seen.test, latest));
            }
            try {
                return members == null || isUnfit ? new RunEvent.Unknown(type) : event(members);
            } catch (JsonException unfit) {
                return new RunEvent.Unknown(type);
            } finally {
                if (type.equals(IMPLIED.get("outcome"))) {
                    tests.remove(test);
                }
            }
        }

        /** Puts back what the line leaves to those above. */
        private RunEvent event(RecordReader.Members<? extends Record> members) {
            if (test == null || !members.isOf(RunEvent.OfTest.class)) {
                return (RunEvent) members.end(json, 1);
            }
            Seen seen = tests.get(test);
            if (seen == null) {
                unnamed = test;
                seen = new Seen(unreadable(test), cores);
                tests.put(test, seen);
            }
            members.set("test", seen.test);
            if (seen.cores != null && members.isOf(RunEvent.OnCores.class)) {
                members.set("cores", seen.cores);
            }
            return (RunEvent) members.end(json, 1);
        }
    }
}
