package dev.neurontest.internal.report.history;

import static dev.neurontest.internal.report.history.HistoryFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.neurontest.internal.json.RecordWriter;
import dev.neurontest.internal.report.RunFixture;
import dev.neurontest.internal.report.TestOutcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunHistoryTest {

    @TempDir
    private Path folder;

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void readsRunsOfFolderWithTheOldestFirst() throws IOException {
        // given
        RunHistory.with(run(2), folder);
        RunHistory.with(run(0), folder);

        // when
        RunHistory history = RunHistory.with(run(1, "BertTest > retries()"), folder);

        // then
        assertThat(history.runs()).containsExactly(run(0), run(1, "BertTest > retries()"), run(2));
        assertThat(history.problems()).isEmpty();
    }

    @Test
    void replacesRecordOfSameRun() throws IOException {
        // given a report of a part of the run
        RunRecord part = run(1);
        RunHistory.with(run(0), folder);
        RunHistory.with(part, folder);
        RunRecord whole = new RunRecord(
                part.version(),
                part.kind(),
                part.run(),
                part.started().minusSeconds(5),
                part.took(),
                40,
                0,
                part.flaky(),
                part.values());

        // when
        RunHistory history = RunHistory.with(whole, folder);

        // then
        assertThat(history.runs()).containsExactly(run(0), whole);
        assertThat(files()).hasSize(2);
    }

    @Test
    void countsCopiedRecordOnce() throws IOException {
        // given
        Files.writeString(folder.resolve("neuron-run-20260101T000000Z-copy.json"), RecordWriter.text(run(1)));

        // when
        RunHistory history = RunHistory.with(run(1), folder);

        // then
        assertThat(history.runs()).containsExactly(run(1));
    }

    @Test
    void readsTheLastThirtyRuns() throws IOException {
        // given
        for (int day = 0; day < 34; day++) {
            RunHistory.with(run(day), folder);
        }

        // when
        RunHistory history = RunHistory.with(run(34), folder);

        // then
        assertThat(history.runs()).hasSize(30).startsWith(run(5)).endsWith(run(34));
        assertThat(files()).hasSize(35);
    }

    @Test
    void leavesOutFilesThatAreNoRecords() throws Exception {
        // given
        Path broken = Files.writeString(folder.resolve("neuron-run-20270101T000000Z-a.json"), "{");
        Path newer = Files.writeString(
                folder.resolve("neuron-run-20270102T000000Z-b.json"),
                RecordWriter.text(run(0)).replace("\"version\":1", "\"version\":2"));
        Path report = Files.writeString(
                folder.resolve("neuron-run-20270103T000000Z-c.json"), "{\"version\": 1, \"kind\": \"neuron-report\"}");
        Path other = Files.writeString(folder.resolve("notes.json"), "{");
        Path secret = Files.writeString(folder.resolve("secret"), RecordWriter.text(run(7)));
        Path link = Files.createSymbolicLink(folder.resolve("neuron-run-20270104T000000Z-d.json"), secret);
        Path pipe = folder.resolve("neuron-run-20270105T000000Z-e.json");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        // when
        RunHistory history = RunHistory.with(run(0), folder);

        // then
        assertThat(history.runs()).containsExactly(run(0));
        assertThat(history.problems())
                .satisfiesExactly(
                        problem -> assertThat(problem).contains(pipe.toString(), "is not a regular file"),
                        problem -> assertThat(problem).contains(link.toString(), "is not a regular file"),
                        problem -> assertThat(problem).contains(report.toString(), "neuron-report", "neuron-run"),
                        problem -> assertThat(problem).contains(newer.toString(), "version 2"),
                        problem -> assertThat(problem).contains(broken.toString(), "was left out"));
        assertThat(Files.readString(broken)).isEqualTo("{");
        assertThat(Files.readString(other)).isEqualTo("{");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"version\":2,\"kind\":\"neuron-run\"}", "<!DOCTYPE html>"})
    void leavesOtherFileInPlaceOfRecord(String content) throws IOException {
        // given
        Path newest = Files.writeString(folder.resolve(run(1).file()), content);
        Path earlier = Files.writeString(folder.resolve("neuron-run-20250101T000000Z" + run(1).suffix()), content);

        // when
        RunHistory history = RunHistory.with(run(1), folder);

        // then
        assertThat(newest).hasContent(content);
        assertThat(earlier).hasContent(content);
        assertThat(history.problems()).hasSize(2);
    }

    @Test
    void leavesFolderAndLinkInPlaceOfRecord() throws IOException {
        // given
        Path inPlace = Files.createDirectory(folder.resolve(run(1).file()));
        Path secret = Files.writeString(folder.resolve("secret"), RecordWriter.text(run(2)));
        Path link = Files.createSymbolicLink(folder.resolve(run(2).file()), secret);

        // when
        RunHistory.with(run(1), folder);
        RunHistory history = RunHistory.with(run(2), folder);

        // then
        assertThat(inPlace).isDirectory();
        assertThat(link).isSymbolicLink();
        assertThat(history.problems()).hasSize(2).allMatch(problem -> problem.contains("is not a regular file"));
    }

    @ParameterizedTest
    @CsvSource({
        "0.016, -1",
        "\"seconds\", \"text\"",
        "2026-11-20T02:10:00Z, +1000000000-12-31T23:59:59Z",
        "2026-11-20T02:10:00Z, -1000000000-01-01T00:00:00Z"
    })
    void leavesOutRecordThatNoPageCanShow(String before, String damaged) throws IOException {
        // given
        String record = RecordWriter.text(run(1));
        assertThat(record).contains(before);
        Files.writeString(folder.resolve(run(1).file()), record.replace(before, damaged));

        // when
        RunHistory history = RunHistory.with(run(0), folder);

        // then
        assertThat(history.runs()).containsExactly(run(0));
        assertThat(history.problems()).singleElement().asString().contains(run(1).file(), "was left out");
    }

    @Test
    void recordsOfLargeRunsStaySmall() {
        // given
        RunFixture large = new RunFixture();
        for (int i = 0; i < 1000; i++) {
            String name = "ATest > test%s%s()".formatted(i, "long".repeat(100));
            large.with(RunFixture.simple(name, TestOutcome.FAILED, 1))
                    .with(RunFixture.simple(name, TestOutcome.PASSED, 2));
        }

        // when
        RunRecord record = RunRecord.of(large.report());

        // then
        assertThat(record.flaky()).hasSize(200);
        assertThat(RecordWriter.text(record).getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(50_000);
    }

    @Test
    void keepsNumbersOfRun() {
        // when
        RunRecord record = RunRecord.of(new RunFixture().night().report());

        // then
        assertThat(record.tests()).isEqualTo(19);
        assertThat(record.failed()).isEqualTo(3);
        assertThat(record.values())
                .extracting(value -> value.subject())
                .contains("com.acme.BertTest#inference(int)[1] total_time");
    }

    @Test
    void keepsLastMedianOfASubject() {
        // given
        RunRecord once = RunRecord.of(new RunFixture()
                .with(RunFixture.compared("ATest > a()", 1, 0.2))
                .report());

        // when
        RunRecord twice = RunRecord.of(new RunFixture()
                .with(RunFixture.compared("ATest > a()", 1, 0.1))
                .with(RunFixture.compared("ATest > a()", 2, 0.2))
                .report());

        // then
        assertThat(once.values()).hasSize(1);
        assertThat(twice.values()).isEqualTo(once.values());
    }

    @Test
    void countsRunsInWhichATestWasFlaky() {
        // given
        RunHistory history =
                new RunHistory(List.of(run(0, "a", "b"), run(1, "b"), run(2, "c"), run(3, "a", "b")), List.of());

        // then
        assertThat(history.oftenFlaky()).containsExactly(entry("b", 3L), entry("a", 2L));
    }
}
