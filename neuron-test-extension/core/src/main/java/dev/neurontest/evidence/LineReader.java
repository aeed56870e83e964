package dev.neurontest.evidence;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a run file one after the other, as {@link LineWriter} or version 1 wrote them. */
final class LineReader {

    /** What 64 bits of nanoseconds hold, as collectors of telemetry count them: the year 2262. */
    private static final Instant LATEST = Instant.EPOCH.plusNanos(Long.MAX_VALUE);

    private static final String PHASE_STARTED = LineWriter.name(RunEvent.PhaseStarted.class);
    private static final String TEST_FINISHED = LineWriter.name(RunEvent.TestFinished.class);

    private final Map<Long, Told> tests = new HashMap<>();
    private @Nullable Instant time;
    private @Nullable Long unnamed;
    private @Nullable Long missing;
    private long sequence;
    private long skipped;

    /** What the lines above say of a test. */
    private record Told(Map<?, ?> test, @Nullable Object cores) {

        Told on(Object others) {
            return new Told(test, others);
        }
    }

    /** Gives null when these bytes, without the line's end, are no whole line. */
    @Nullable
    RunLine next(byte[] line) {
        RunLine read = read(line);
        if (read == null) {
            skip();
        } else {
            sequence = read.sequence();
            skipped = 0;
        }
        return read;
    }

    /** Passes over a line that cannot be read. */
    void skip() {
        skipped++;
    }

    private @Nullable RunLine read(byte[] line) {
        unnamed = null;
        missing = null;
        Map<String, @Nullable Object> members = RunLine.members(line);
        if (members == null) {
            return null;
        }
        long expected = sequence + 1;
        Object number = members.containsKey("seq") ? members.remove("seq") : expected + skipped;
        Instant written = time(members);
        Object event = members.containsKey("event") ? members.remove("event") : event(members);
        if (!(number instanceof Number next) || written == null || !(event instanceof String type)) {
            return null;
        }
        if (next.longValue() < expected || next.longValue() > expected + skipped) {
            missing = expected;
        }
        complete(members, type);
        return new RunLine(next.longValue(), written, RunLine.event(type, members));
    }

    /** What a line tells that does not say it. */
    private static @Nullable String event(Map<String, @Nullable Object> members) {
        return members.containsKey("phase") ? PHASE_STARTED : members.containsKey("outcome") ? TEST_FINISHED : null;
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

    private @Nullable Instant time(Map<String, @Nullable Object> members) {
        Object absolute = members.remove("time");
        Object micros = members.remove("us");
        try {
            Instant written = null;
            if (absolute instanceof String text) {
                written = LineTime.parse(text);
            } else if (time != null && (micros instanceof Integer || micros instanceof Long)) {
                written = time.plus(((Number) micros).longValue(), ChronoUnit.MICROS);
            }
            if (written == null || written.isBefore(Instant.EPOCH) || written.isAfter(LATEST)) {
                return null;
            }
            time = absolute == null ? time : written;
            return written;
        } catch (DateTimeException | ArithmeticException none) {
            return null;
        }
    }

    /** Puts back what the line leaves to those above. */
    private void complete(Map<String, @Nullable Object> members, String type) {
        Object test = members.get("test");
        Long number = test instanceof Map<?, ?> named ? number(named.get(LineWriter.NUMBER)) : number(test);
        if (number == null) {
            return;
        }
        Told told = tests.get(number);
        if (test instanceof Map<?, ?> named) {
            told = new Told(named, null);
        } else if (told == null) {
            unnamed = number;
            told = new Told(unreadable(number), null);
        }
        Object cores = members.get("cores");
        if (cores != null) {
            told = told.on(cores);
        } else if (told.cores != null && RunLine.hasCores(type)) {
            members.put("cores", told.cores);
        }
        members.put("test", told.test);
        tests.put(number, told);
        if (type.equals(TEST_FINISHED)) {
            tests.remove(number);
        }
    }

    /** The events of such a test are not to be lost. */
    private static Map<String, Object> unreadable(long number) {
        Map<String, Object> test = new LinkedHashMap<>();
        test.put("id", "[test:" + number + "]");
        test.put("name", "test " + number + ", whose name cannot be read");
        return test;
    }

    private static @Nullable Long number(@Nullable Object value) {
        return value instanceof Integer || value instanceof Long ? (Long) ((Number) value).longValue() : null;
    }
}
