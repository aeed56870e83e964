package dev.neurontest.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import dev.neurontest.process.Redaction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run file is never refused: what can be read of it is read. */
class RunLogFuzzTest {

    private static final byte[] SHORT = new RunLinesFixture(4711)
            .started("ip-10-0-0-7")
            .onFake()
            .ran(RunLinesFixture.test("größe \ud83d\ude00"), Outcome.PASSED, "neuron0/neuron_core1")
            .finished()
            .bytes();

    @TempDir
    Path folder;

    private static byte[] oneOfEachType() {
        RunLinesFixture run = new RunLinesFixture(4711);
        EventsFixture.one_of_each_type().forEach(run::add);
        return run.bytes();
    }

    private static List<String> lines(byte[] file) {
        List<String> lines = new ArrayList<>(
                List.of(new String(file, StandardCharsets.ISO_8859_1).split("\n", -1)));
        lines.remove(lines.size() - 1);
        return lines;
    }

    private RunLog read(byte[] input) throws IOException {
        return RunLog.read(Files.write(folder.resolve("run.jsonl"), input));
    }

    @Test
    void whatIsReadIsWrittenAndReadAgain() {
        Fuzzing.of(RunLogFuzzTest.class, "run-file")
                .seeds(SHORT, oneOfEachType())
                .words("\"us\":", "\"test\":", "\"seq\":", "\"cores\":[]", "\"number\":", "9999-12-31T23:59:59Z", "\\ud83d")
                .check(this::read, (input, read) -> {
                    assertUntouchedLinesAreRead(input);
                    if (!holdsSecret(read)) {
                        assertThat(written(read)).isEqualTo(known(read));
                    }
                });
    }

    /** Only where the first line is one of them: the times of the others may be relative to its. */
    private void assertUntouchedLinesAreRead(byte[] input) throws IOException {
        Set<String> genuine = new HashSet<>(lines(SHORT));
        List<String> lines = lines(input);
        if (lines.isEmpty() || !genuine.contains(lines.get(0)) || !lines.get(0).contains("\"time\"")) {
            return;
        }
        Set<Integer> numbers = new HashSet<>();
        RunLog.read(Files.write(folder.resolve("run.jsonl"), input), (number, line) -> numbers.add(number));
        for (int index = 0; index < lines.size(); index++) {
            assertThat(numbers.contains(index + 1) || !genuine.contains(lines.get(index)))
                    .as("line %d is read", index + 1)
                    .isTrue();
        }
    }

    private static boolean holdsSecret(RunLog read) {
        String all = read.toString();
        return !Redaction.mask(all).equals(all);
    }

    private static List<RunEvent> known(RunLog read) {
        return read.lines().stream()
                .map(RunLine::event)
                .filter(event -> !(event instanceof RunEvent.Unknown))
                .toList();
    }

    private List<RunEvent> written(RunLog read) throws IOException {
        RunLinesFixture run = new RunLinesFixture(4711);
        read.lines().stream()
                .filter(line -> !(line.event() instanceof RunEvent.Unknown))
                .forEach(line -> run.at(line.time().toString()).add(line.event()));
        return read(run.bytes()).lines().stream().map(RunLine::event).toList();
    }
}
