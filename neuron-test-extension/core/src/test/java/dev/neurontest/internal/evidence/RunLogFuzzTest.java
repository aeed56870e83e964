package dev.neurontest.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import dev.neurontest.internal.process.Redaction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fuzz tests of the reader of run files, which never refuses a file and reads every readable line. */
class RunLogFuzzTest {

    private static final byte[] SHORT = new RunLinesFixture(4711)
            .started("ip-10-0-0-7")
            .onFake()
            .ran(RunLinesFixture.test("größe \ud83d\ude00"), Outcome.PASSED, "neuron0/neuron_core1")
            .finished()
            .bytes();

    private static final Set<String> GENUINE = new HashSet<>(lines(SHORT));

    @TempDir
    Path folder;

    /** Returns short files with all types of events, because the fuzzer could read fewer long files in its time. */
    private static byte[][] oneOfEachType() {
        List<RunEvent> events = EventsFixture.one_of_each_type();
        byte[][] files = new byte[(events.size() + 5) / 6][];
        for (int file = 0; file < files.length; file++) {
            RunLinesFixture run = new RunLinesFixture(4711);
            events.stream().skip(file * 6L).limit(6).forEach(run::add);
            files[file] = run.bytes();
        }
        return files;
    }

    private static List<String> lines(byte[] file) {
        List<String> lines = new ArrayList<>(List.of(new String(file, StandardCharsets.ISO_8859_1).split("\n", -1)));
        lines.remove(lines.size() - 1);
        return lines;
    }

    /** Returns the readable lines by their numbers. */
    private Map<Integer, RunLine> read(byte[] input) throws IOException {
        Map<Integer, RunLine> lines = new TreeMap<>();
        RunLog.read(Files.write(folder.resolve("run.jsonl"), input), lines::put);
        return lines;
    }

    @Test
    void readEventsSurviveRewriting() {
        Fuzzing.of(RunLogFuzzTest.class, "run-file")
                .seeds(SHORT)
                .seeds(oneOfEachType())
                .words(
                        "\"us\":",
                        "\"test\":",
                        "\"seq\":",
                        "\"cores\":[]",
                        "\"number\":",
                        "9999-12-31T23:59:59Z",
                        "\\ud83d")
                .check(this::read, (input, read) -> {
                    assertUntouchedLinesAreRead(lines(input), read.keySet());
                    List<RunEvent> known = events(read.values());
                    if (!written(read.values()).equals(known) && !holdsSecret(known)) {
                        assertThat(written(read.values())).isEqualTo(known);
                    }
                });
    }

    /**
     * Verifies that genuine lines are read, if the first line is genuine too: the times of others may be relative to
     * it.
     */
    private static void assertUntouchedLinesAreRead(List<String> lines, Set<Integer> numbers) {
        if (!lines.isEmpty() && GENUINE.contains(lines.get(0)) && lines.get(0).contains("\"time\"")) {
            assertThat(IntStream.range(0, lines.size())
                            .filter(index -> GENUINE.contains(lines.get(index)) && !numbers.contains(index + 1)))
                    .as("lines that were not read")
                    .isEmpty();
        }
    }

    /** Returns whether the events contain a secret, which is masked when it is written. */
    private static boolean holdsSecret(List<RunEvent> events) {
        return !Redaction.mask(events.toString()).equals(events.toString());
    }

    private static List<RunEvent> events(Collection<RunLine> lines) {
        return lines.stream()
                .map(RunLine::event)
                .filter(event -> !(event instanceof RunEvent.Unknown))
                .toList();
    }

    private List<RunEvent> written(Collection<RunLine> lines) throws IOException {
        RunLinesFixture run = new RunLinesFixture(4711);
        lines.stream()
                .filter(line -> !(line.event() instanceof RunEvent.Unknown))
                .forEach(line -> run.at(line.time().toString()).add(line.event()));
        return events(read(run.bytes()).values());
    }
}
