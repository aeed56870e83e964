package dev.neurontest.internal.evidence;

import dev.neurontest.internal.json.RecordWriter;
import dev.neurontest.internal.process.Redaction;
import dev.neurontest.internal.text.InstantText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writer of the lines of a run file. Lines are kept short, because a test writes about ten. The first line of a test has its
 * {@code id} and {@code name} and gives it a {@code number}. Its other lines have
 *
 * <ul>
 *   <li>{@code test}: that number,
 *   <li>{@code us} instead of {@code time}: microseconds since the last line with a {@code time},
 *   <li>no {@code seq}, which is that of the previous line plus one,
 *   <li>{@code cores} only if they differ from its last line with {@code cores},
 *   <li>no {@code event} at the start of a {@code phase}, or for the end of a test with an {@code outcome}.
 * </ul>
 */
final class LineWriter {

    /** The members that depend on earlier lines. */
    private static final Set<String> LEFT_TO_THE_LINE = Set.of("test", "cores");

    /** Masks each text separately, to keep the JSON valid. */
    private static final BinaryOperator<String> MASK = LineWriter::masked;

    /** The tests by id and name. The hash of a record would delay the first test of a JVM. */
    private final Map<String, KnownTest> knownTests = new HashMap<>();

    private Instant time = Instant.EPOCH;
    private long sequence;
    private long numbers;

    /** The state of a test after the earlier lines. */
    private static final class KnownTest {

        private final long number;
        private @Nullable List<String> cores;

        KnownTest(long number) {
            this.number = number;
        }
    }

    /** Formats the part of a line that does not depend on earlier lines. */
    static String members(RunEvent event) {
        String object =
                RecordWriter.text((Record) event, event instanceof RunEvent.OfTest ? LEFT_TO_THE_LINE : Set.of(), MASK);
        return object.equals("{}") ? "" : "," + object.substring(1, object.length() - 1);
    }

    /**
     * Formats the next line.
     *
     * @param now the time of the write
     * @param members the result of {@link #members} for this event
     */
    byte[] next(Instant now, RunEvent event, String members) {
        StringBuilder line = new StringBuilder();
        sequence++;
        @Nullable TestId test = event instanceof RunEvent.OfTest of ? of.test() : null;
        @Nullable String key = test == null ? null : test.id() + '\n' + test.name();
        @Nullable KnownTest known = knownTests.get(key);
        if (known == null) {
            time = now;
            line.append("{\"seq\":")
                    .append(sequence)
                    .append(",\"time\":\"")
                    .append(InstantText.of(now))
                    .append('"');
        } else {
            line.append("{\"us\":").append(ChronoUnit.MICROS.between(time, now));
        }
        if (known == null || !(event instanceof RunEvent.PhaseStarted || event instanceof RunEvent.TestFinished)) {
            line.append(",\"event\":\"").append(name(event.getClass())).append('"');
        }
        if (test != null) {
            line.append(",\"test\":");
            if (known == null) {
                known = new KnownTest(++numbers);
                knownTests.put(key, known);
                line.append("{\"number\":")
                        .append(known.number)
                        .append(',')
                        .append(RecordWriter.text(test, Set.of(), MASK).substring(1));
            } else {
                line.append(known.number);
            }
            cores(line, event, known);
        }
        if (event instanceof RunEvent.TestFinished) {
            knownTests.remove(key);
        }
        return line.append(members).append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the name of an event type, without loading all event types. */
    static String name(Class<?> type) {
        String name = type.getSimpleName();
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    static String masked(String name, String text) {
        String named = name.isEmpty() ? "" : name + "=";
        String masked = Redaction.mask(named + text);
        return masked.startsWith(named) ? masked.substring(named.length()) : Redaction.mask(text);
    }

    private static void cores(StringBuilder line, RunEvent event, KnownTest known) {
        if (event instanceof RunEvent.OnCores onCores && !onCores.cores().equals(known.cores)) {
            known.cores = onCores.cores();
            line.append(",\"cores\":").append(RecordWriter.text(onCores.cores(), MASK));
        }
    }

    /** Clears the state. The next lines do not depend on earlier ones, because some of these might be missing. */
    void forget() {
        knownTests.clear();
    }
}
