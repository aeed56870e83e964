package dev.neurontest.internal.evidence;

import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.json.RecordWriter;
import dev.neurontest.internal.process.Redaction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Writes the lines of a run file, each no longer than it has to be, for a test writes about ten. The first line of a test has its
 * {@code id} and {@code name} and gives it a {@code number}. Its other lines have
 *
 * <ul>
 *   <li>{@code test}: that number,
 *   <li>{@code us} for {@code time}: microseconds since the last line above that has a {@code time},
 *   <li>no {@code seq}, which is that of the line above and one,
 *   <li>{@code cores} only when they are others than in its last line with {@code cores},
 *   <li>no {@code event} when a {@code phase} begins, or when the test ends and has an {@code outcome}.
 * </ul>
 */
final class LineWriter {

    /** What depends on the lines before. */
    private static final Set<String> LEFT_TO_THE_LINE = Set.of("test", "cores");

    /** By id and name: the hash of a record delays the first test of a JVM. */
    private final Map<String, Told> tests = new HashMap<>();

    private Instant time = Instant.EPOCH;
    private long sequence;
    private long numbers;

    /** What the lines above say of a test. */
    private static final class Told {

        private final long number;
        private @Nullable List<String> cores;

        Told(long number) {
            this.number = number;
        }
    }

    /** The part of a line that does not depend on those before it. */
    static String members(RunEvent event) {
        String object = Json.text(json -> {
            json.writeStartObject();
            writer(json).members((Record) event, event instanceof RunEvent.OfTest ? LEFT_TO_THE_LINE : Set.of());
            json.writeEndObject();
        });
        return object.equals("{}") ? "" : "," + object.substring(1, object.length() - 1);
    }

    /**
     * Makes the next line.
     *
     * @param now when it is written
     * @param event that happened
     * @param members of this event
     */
    byte[] next(Instant now, RunEvent event, String members) {
        StringBuilder line = new StringBuilder();
        sequence++;
        @Nullable TestId test = event instanceof RunEvent.OfTest of ? of.test() : null;
        @Nullable String key = test == null ? null : test.id() + '\n' + test.name();
        @Nullable Told told = tests.get(key);
        if (told == null) {
            time = now;
            line.append("{\"seq\":")
                    .append(sequence)
                    .append(",\"time\":\"")
                    .append(now)
                    .append('"');
        } else {
            line.append("{\"us\":").append(ChronoUnit.MICROS.between(time, now));
        }
        if (told == null || !(event instanceof RunEvent.PhaseStarted || event instanceof RunEvent.TestFinished)) {
            line.append(",\"event\":\"").append(name(event.getClass())).append('"');
        }
        if (test != null) {
            line.append(",\"test\":");
            if (told == null) {
                told = new Told(++numbers);
                tests.put(key, told);
                line.append("{\"number\":")
                        .append(told.number)
                        .append(',')
                        .append(fields(test).substring(1));
            } else {
                line.append(told.number);
            }
            cores(line, event, told);
        }
        if (event instanceof RunEvent.TestFinished) {
            tests.remove(key);
        }
        return line.append(members).append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the name of a type of events, which is found without loading all of them. */
    static String name(Class<?> type) {
        String name = type.getSimpleName();
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    private static String fields(TestId test) {
        return Json.text(json -> writer(json).object(test));
    }

    /** Masks each text by itself, so that an object stays JSON. */
    private static RecordWriter writer(JsonGenerator json) {
        return new RecordWriter(json, LineWriter::masked);
    }

    static String masked(String name, String text) {
        String named = name.isEmpty() ? "" : name + "=";
        String masked = Redaction.mask(named + text);
        return masked.startsWith(named) ? masked.substring(named.length()) : Redaction.mask(text);
    }

    private static void cores(StringBuilder line, RunEvent event, Told told) {
        if (event instanceof RunEvent.OnCores on && !on.cores().equals(told.cores)) {
            told.cores = on.cores();
            line.append(",\"cores\":").append(Json.text(json -> writer(json).value(on.cores())));
        }
    }

    /** Makes lines that need none of those above, some of which may not have been written. */
    void forget() {
        tests.clear();
    }
}
