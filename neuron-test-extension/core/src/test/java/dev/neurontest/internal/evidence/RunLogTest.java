package dev.neurontest.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogTest {

    @TempDir
    Path folder;

    private Path file(byte[] content) throws IOException {
        return Files.write(folder.resolve("run.jsonl"), content);
    }

    private Path file(String content) throws IOException {
        return file(content.getBytes(StandardCharsets.UTF_8));
    }

    private static String notice(int sequence, String notice) {
        return "{\"seq\":%s,\"time\":\"2026-11-21T09:30:00Z\",\"event\":\"noticed\",\"notice\":\"%s\"}\n"
                .formatted(sequence, notice);
    }

    private static RunEvent noticed(String notice) {
        return new RunEvent.Noticed(null, notice);
    }

    @Test
    void truncatedFileYieldsItsWholeLines() throws IOException {
        // given
        byte[] whole = (notice(1, "one") + notice(2, "two é")).getBytes(StandardCharsets.UTF_8);
        int firstEnd = notice(1, "one").length();

        for (int length = 1; length <= whole.length; length++) {
            // when
            RunLog log = RunLog.read(file(Arrays.copyOf(whole, length)));

            // then
            int expected = length < firstEnd ? 0 : length < whole.length ? 1 : 2;
            assertThat(log.lines()).as("cut at %s", length).hasSize(expected);
            boolean torn = length != firstEnd && length != whole.length;
            assertThat(log.problems()).as("cut at %s", length).hasSize(torn ? 1 : 0);
        }
    }

    @Test
    void lastLineWithoutLineEndIsReportedAsTorn() throws IOException {
        // given
        Path file = file(notice(1, "one") + notice(2, "two").stripTrailing());

        // when
        RunLog log = RunLog.read(file);

        // then
        assertThat(log.lines()).extracting(RunLine::event).containsExactly(noticed("one"));
        assertThat(log.problems())
                .containsExactly(
                        file + ": line 2 is torn after " + (notice(2, "two").length() - 1) + " bytes:"
                                + " the JVM ended while it was written, or the disk was full");
    }

    @Test
    void brokenLineIsSkippedAndReported() throws IOException {
        // given
        Path file = file(notice(1, "one") + "\0\0\0\n" + notice(2, "two"));

        // when
        RunLog log = RunLog.read(file);

        // then
        assertThat(log.lines()).extracting(RunLine::event).containsExactly(noticed("one"), noticed("two"));
        assertThat(log.problems()).containsExactly(file + ": line 2 is not an event and was skipped");
    }

    @Test
    void missingEventsAreReported() throws IOException {
        // given
        Path file = file(notice(1, "one") + notice(4, "four"));

        // when
        RunLog log = RunLog.read(file);

        // then
        assertThat(log.lines()).hasSize(2);
        assertThat(log.problems())
                .containsExactly(file + ": line 2 is event 4, expected 2: the events between were not written");
    }

    @Test
    void longestLineIsReadAndLongerOneIsSkipped() throws IOException {
        // given
        String longest = "x".repeat(RunLog.LONGEST_LINE - notice(2, "").length() + 1);
        Path file = file(notice(1, "one") + notice(2, longest) + notice(3, longest + "x") + notice(4, "four"));

        // when
        RunLog log = RunLog.read(file);

        // then
        assertThat(log.lines()).extracting(RunLine::sequence).containsExactly(1L, 2L, 4L);
        assertThat(log.problems())
                .containsExactly(file + ": line 3 has 16777217 bytes and was skipped: a line has at most 16777216");
    }

    @Test
    void tornOverlongLineIsReported() throws IOException {
        // given
        Path file = file(notice(1, "one") + "x".repeat(RunLog.LONGEST_LINE + 5));

        // then
        assertThat(RunLog.read(file).problems())
                .singleElement()
                .asString()
                .contains("line 2 is torn after 16777221 bytes");
    }

    @Test
    void newerVersionIsReported() throws IOException {
        // given
        Path file =
                file("{\"seq\":1,\"time\":\"2026-11-21T09:30:00Z\",\"event\":\"runStarted\",\"version\":4,\"pid\":1,"
                        + "\"java\":\"21\",\"os\":\"Linux\",\"module\":\"9\",\"directory\":\"d\",\"machine\":\"\"}\n");

        // when
        RunLog log = RunLog.read(file);

        // then
        assertThat(log.lines()).hasSize(1);
        assertThat(log.problems())
                .containsExactly(
                        file
                                + ": line 1 is of version 4, but this reader supports 2 to 3: its content may be wrong, use the version that wrote it");
    }

    @Test
    void previousVersionIsReadWithoutProblem() throws IOException {
        // given
        Path file =
                file("{\"seq\":1,\"time\":\"2026-11-21T09:30:00Z\",\"event\":\"runStarted\",\"version\":2,\"pid\":1,"
                        + "\"java\":\"21\",\"os\":\"Linux\",\"module\":\"9\",\"directory\":\"d\",\"machine\":\"\"}\n");

        // then
        assertThat(RunLog.read(file).problems()).isEmpty();
    }

    @Test
    void emptyFileIsReported() throws IOException {
        // given
        Path file = file("");

        // when
        RunLog log = RunLog.read(file);

        // then
        assertThat(log.lines()).isEmpty();
        assertThat(log.problems())
                .containsExactly(
                        file + " is empty: the JVM ended before it wrote its first line, or the disk was full");
    }

    @Test
    void missingFileIsRefused() {
        // when, then
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> RunLog.read(folder.resolve("absent")));
    }

    private static byte[] run(RunEvent... events) {
        LineWriter writer = new LineWriter();
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (RunEvent event : events) {
            lines.writeBytes(writer.next(Instant.parse("2026-11-21T09:30:00Z"), event, LineWriter.members(event)));
        }
        return lines.toByteArray();
    }

    @Test
    void endOfTestIsReadWithoutLineThatNamesIt() throws IOException {
        // given
        TestId one = new TestId("[test:a]", "a");
        String lines = new String(
                run(
                        noticed("first"),
                        new RunEvent.Requested(one, "1 core"),
                        new RunEvent.Leased(one, List.of("neuron0/neuron_core1"), Duration.ofMillis(1)),
                        new RunEvent.TestFinished(one, Outcome.FAILED, List.of("neuron0/neuron_core1"), "broken")),
                StandardCharsets.UTF_8);
        Path file = file(lines.replace("\"requested\"", "\"requested"));

        // when
        RunLog log = RunLog.read(file);

        // then
        TestId unnamed = new TestId("[test:1]", "test 1 with an unreadable name");
        assertThat(log.lines())
                .extracting(RunLine::event)
                .endsWith(
                        new RunEvent.TestFinished(unnamed, Outcome.FAILED, List.of("neuron0/neuron_core1"), "broken"));
        assertThat(log.problems())
                .containsExactly(
                        file + ": line 2 is not an event and was skipped",
                        file + ": line 3 is of test 1, which no readable line before it names");
    }

    @Test
    void timesOfTestFollowClockThatIsSetBack() throws IOException {
        // given
        TestId one = new TestId("[test:a]", "a");
        LineWriter writer = new LineWriter();
        Instant time = Instant.parse("2026-11-21T09:30:00.123456Z");
        List<Instant> times = List.of(time, time.plusNanos(1_999), time.minusSeconds(3600), time.plusSeconds(86_400));
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        RunEvent event = new RunEvent.PhaseStarted(one, Phase.BODY);
        times.forEach(each -> lines.writeBytes(writer.next(each, event, LineWriter.members(event))));

        // when
        RunLog log = RunLog.read(file(lines.toByteArray()));

        // then to the microsecond
        assertThat(log.lines())
                .extracting(RunLine::time)
                .containsExactly(time, time.plusNanos(1_000), time.minusSeconds(3600), time.plusSeconds(86_400));
    }

    @Test
    void repeatedTestIsNamedAgain() {
        // given
        TestId one = new TestId("[test:a]", "a");
        RunEvent end = new RunEvent.TestFinished(one, Outcome.PASSED, List.of(), null);

        // when
        String lines = new String(run(end, end), StandardCharsets.UTF_8);

        // then
        assertThat(lines).contains("\"number\":1,\"id\":\"[test:a]\"", "\"number\":2,\"id\":\"[test:a]\"");
    }
}
