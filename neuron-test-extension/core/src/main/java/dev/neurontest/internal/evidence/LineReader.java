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

/** Reader of the lines of a run file in the format of {@link LineWriter}. */
final class LineReader {

    /** The maximum time in 64 bits of nanoseconds, as telemetry collectors count: the year 2262. */
    private static final Instant LATEST = Instant.EPOCH.plusNanos(Long.MAX_VALUE);

    /** The default events of lines without an event, by their first member. */
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

    /** A test of earlier lines, with its cores. */
    private record Seen(TestId test, @Nullable List<String> cores) {}

    /** The test in its first line. */
    private record Named(@Nullable Long number, @Unwrapped TestId id) {}

    /** Parses a line without its line end. Returns null if it is not a complete line. */
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
            // Treated as a malformed line.
        }
        skip();
        return null;
    }

    /** Skips an unreadable line. */
    void skip() {
        skipped++;
    }

    /** Returns the sequence number that was expected instead of the last one, if events are missing; otherwise null. */
    @Nullable
    Long missing() {
        return missing;
    }

    /** Returns the number of the test of the last line, if this is its first line and no earlier line names it; otherwise null. */
    @Nullable
    Long unnamed() {
        return unnamed;
    }

    private static <T> T value(JsonParser json, Class<T> type) {
        return RecordReader.EXACT.read(json, type);
    }

    /** Returns a placeholder for a test without a readable name, to keep its events. */
    private static TestId unreadable(long number) {
        return new TestId("[test:" + number + "]", "test " + number + " with an unreadable name");
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
            Class<? extends Record> eventType = event == null ? null : RunLine.type(event);
            members = eventType == null ? null : RecordReader.EXACT.begin(eventType);
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
                throw RecordReader.unexpected(json, "is not a list", "a list");
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
                // Cores in unknown or incomplete events also apply to later lines.
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

        /** Builds an event with the test and the cores of earlier lines. */
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
