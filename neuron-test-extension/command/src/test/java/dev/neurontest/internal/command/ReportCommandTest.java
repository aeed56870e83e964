package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportCommandTest {

    private static final TestId INFERS =
            new TestId("[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:infers()]", "BertTest > infers()");
    private static final TestId ANSWERS =
            new TestId("[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:answers()]", "BertTest > answers()");

    @TempDir
    private Path folder;

    private Path runs;

    @BeforeEach
    void run() {
        runs = folder.resolve("runs");
        try (RunFile file = new RunFile(runs, warning -> {})) {
            file.append(new RunEvent.PlatformChosen(
                    "fake",
                    "fake:trn1.2xlarge",
                    "fake:trn1.2xlarge",
                    "default",
                    "trn1.2xlarge",
                    null,
                    "2.30",
                    1,
                    2,
                    1));
            finished(file, INFERS, Outcome.FAILED, "1 expectation violated");
            finished(file, ANSWERS, Outcome.PASSED, null);
            file.finish();
        }
    }

    private static void finished(RunFile file, TestId test, Outcome outcome, @Nullable String reason) {
        file.append(new RunEvent.TestFinished(test, outcome, List.of("neuron0/neuron_core0"), reason));
    }

    private CommandFixture report(String... more) {
        String[] arguments = new String[more.length + 2];
        arguments[0] = "report";
        arguments[1] = runs.toString();
        System.arraycopy(more, 0, arguments, 2, more.length);
        return CommandFixture.run(arguments);
    }

    @Test
    void showsRunWithoutGate() {
        // when
        CommandFixture report = report();

        // then
        assertThat(report.status()).as(report.err()).isZero();
        assertThat(report.out())
                .contains("BertTest > infers()", "1 failed, 1 passed")
                .doesNotContain("GATES");
    }

    @Test
    void exitsWith1WhenGateFails() {
        // when
        CommandFixture report = report("--gate");

        // then
        assertThat(report.status()).isEqualTo(1);
        assertThat(report.out()).contains("failed.max");
    }

    @Test
    void appliesGivenGateFile() throws IOException {
        // given
        Path gates = Files.writeString(folder.resolve("neuron-gate.properties"), "failed.max = 1\n");

        // when
        CommandFixture report = report("--gate=" + gates);

        // then
        assertThat(report.status()).as(report.out()).isZero();
    }

    @Test
    void gateOptionNeverTakesNextWord() throws IOException {
        // given
        Path file;
        try (Stream<Path> files = Files.list(runs)) {
            file = files.findFirst().orElseThrow();
        }

        // when
        CommandFixture ofFolder = CommandFixture.run("report", "--gate", runs.toString());
        CommandFixture ofFile = CommandFixture.run("report", "--gate", file.toString());

        // then
        for (CommandFixture report : List.of(ofFolder, ofFile)) {
            assertThat(report.status()).as(report.err()).isEqualTo(1);
            assertThat(report.out()).contains("failed.max", "BertTest > infers()");
        }
    }

    @Test
    void refusesFolderAsGateFile() {
        // when
        CommandFixture report = report("--gate=" + folder);

        // then
        assertThat(report.status()).isEqualTo(2);
        assertThat(report.err())
                .contains(
                        folder + ": it is a folder and was not read",
                        "Name a file of lines such as hardware.min = 40.");
    }

    @Test
    void advisesEqualsSignForGateFileAfterSpace() throws IOException {
        // given
        Path gates = Files.writeString(folder.resolve("neuron-gate.properties"), "failed.max = 1\n");

        // when
        CommandFixture report = report("--gate", gates.toString());

        // then
        assertThat(report.status()).isEqualTo(2);
        assertThat(report.err()).contains(gates + " is not a run file.", "write --gate=" + gates);
    }

    @Test
    void countsNothingOnAFakeAsHardware() {
        // when
        CommandFixture report = report("--limit", "hardware.min=1", "--limit", "failed.max=any");

        // then
        assertThat(report.status()).isEqualTo(1);
        assertThat(report.out()).contains("hardware.min");
    }

    @Test
    void refusesAnUnknownGateBeforeItReadsAnything() {
        // when
        CommandFixture report = report("--limit", "hardwar.min=1");

        // then
        assertThat(report.status()).isEqualTo(2);
        assertThat(report.err()).contains("hardwar.min", "hardware.min").doesNotContain("\tat ");
        assertThat(report.out()).isEmpty();
    }

    @Test
    void writesHtmlJsonAndMarkdownAndPrintsPaths() throws IOException {
        // given
        Path target = Files.createDirectory(folder.resolve("written"));

        // when
        CommandFixture report = report(
                "--html", target + "/report.html",
                "--json", target + "/report.json",
                "--markdown", target + "/report.md");

        // then
        assertThat(target.resolve("report.html"))
                .content()
                .startsWith("<!DOCTYPE html>")
                .contains("infers()");
        assertThat(target.resolve("report.json")).content().startsWith("{").contains("infers()");
        assertThat(target.resolve("report.md")).content().contains("infers()");
        assertThat(report.out())
                .endsWith("report: %1$s/report.html%nreport: %1$s/report.json%nreport: %1$s/report.md%n"
                        .formatted(target));
    }

    @Test
    void passesWhenOtlpCollectorIsUnreachable() {
        // when
        CommandFixture report = report("--otlp", "http://localhost:1");

        // then
        assertThat(report.status()).isZero();
        assertThat(report.out())
                .contains(
                        "NOT published to otlp http://localhost:1/v1/metrics: there is no server, or it cannot be reached");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://reporter:s3cr3t-word@collector :4318",
                "ftp://reporter:s3cr3t-word@collector:4318",
                "collector:4318?token=s3cr3t-word&x=y"
            })
    void hidesSecretsOfRefusedOtlpUrl(String target) {
        // when
        CommandFixture report = report("--otlp", target);

        // then
        assertThat(report.status()).isEqualTo(2);
        assertThat(report.err()).contains("--otlp").doesNotContain("s3cr3t-word");
    }

    @Test
    void reportsFolderWithoutRunFile() throws IOException {
        // given
        Path empty = Files.createDirectory(folder.resolve("empty"));

        // when
        CommandFixture report = CommandFixture.run("report", empty.toString());

        // then
        assertThat(report.status()).isEqualTo(2);
        assertThat(report.err())
                .contains(empty + " contains no run file (run-<pid>-<uuid>.jsonl): no test used Neuron");
    }

    @Test
    void exitsWith2AndShowsGatesWhenNothingRan() throws IOException {
        // given
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Path page = folder.resolve("report.html");

        // when
        CommandFixture report = CommandFixture.run("report", empty.toString(), "--gate", "--html=" + page);

        // then
        assertThat(report.status()).isEqualTo(2);
        assertThat(report.out()).contains("GATES FAILED", "ran: ");
        assertThat(report.err()).contains(empty + " contains no run file");
        assertThat(page).content().contains("no run file");
    }

    @Test
    void runOptionChoosesAmongSeveralRuns() {
        // given an older run with a test that is missing from the newer one
        TestId trains =
                new TestId("[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:trains()]", "BertTest > trains()");
        runs = folder.resolve("two");
        for (TestId test : List.of(trains, ANSWERS)) {
            try (RunFile file = new RunFile(runs, warning -> {})) {
                file.beginningWith(List.of(new RunEvent.PartOfRun("process of " + test.name(), false)));
                finished(file, test, Outcome.PASSED, null);
                file.finish();
            }
        }

        // when
        CommandFixture together = report("--gate");
        CommandFixture newest = report("--gate", "--run=newest");
        CommandFixture all = report("--gate", "--run=all");
        CommandFixture wrong = report("--gate", "--run=oldest");

        // then
        assertThat(together.status()).isOne();
        assertThat(together.out().replaceAll("\\s+", " "))
                .contains("complete: expected")
                .contains("The newest of 2 runs did not finish 1 test of the others: BertTest > trains(). Choose with");
        assertThat(newest.status()).as(newest.out()).isZero();
        assertThat(newest.out()).contains("1 passed").contains("This is the newest of 2 runs");
        assertThat(all.status()).as(all.out()).isZero();
        assertThat(all.out()).contains("2 passed");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err())
                .contains("'--run': expected one of [ONE, NEWEST, ALL] (case-insensitive) but was 'oldest'");
    }

    @Test
    void keepsOneRecordOfRunInHistory() throws IOException {
        // given
        Path history = folder.resolve("history");
        Path page = folder.resolve("report.html");

        // when
        report("--history", history.toString());
        CommandFixture second = report("--history", history.toString(), "--html", page.toString());

        // then
        assertThat(second.status()).as(second.err()).isZero();
        try (Stream<Path> files = Files.list(history)) {
            assertThat(files).singleElement().asString().contains("neuron-run-");
        }
        assertThat(Files.readString(page)).doesNotContain("Over the last runs");
    }

    @Test
    void showsTrendOfHistory() throws IOException {
        // given
        Path history = Files.createDirectories(folder.resolve("history"));
        Files.writeString(
                history.resolve("neuron-run-20260101T000000Z-a.json"),
                "{\"version\":1,\"kind\":\"neuron-run\",\"run\":\"a\",\"started\":\"2026-01-01T00:00:00Z\",\"tookNanos\":1,\"tests\":2,\"failed\":1,\"flaky\":[],\"values\":[]}");
        Path page = folder.resolve("report.html");

        // when
        CommandFixture report = report("--history", history.toString(), "--html", page.toString());

        // then
        assertThat(report.status()).as(report.err()).isZero();
        assertThat(Files.readString(page)).contains("Over the last runs", "2 runs since 2026-01-01 00:00 UTC");
    }

    @Test
    void warnsOfUnreadRecordsOfHistoryInOneLine() throws IOException {
        // given
        Path history = Files.createDirectories(folder.resolve("history"));
        for (int i = 0; i < 9; i++) {
            Files.writeString(history.resolve("neuron-run-2026010%sT000000Z-a.json".formatted(i)), "{");
        }
        Path page = folder.resolve("report.html");

        // when
        CommandFixture report = report("--history", history.toString(), "--html", page.toString());

        // then
        assertThat(report.status()).isZero();
        assertThat(report.err())
                .startsWith("warning: " + history)
                .contains("neuron-run-20260108T000000Z-a.json was left out")
                .endsWith(" (and 8 more)\n")
                .hasLineCount(1);
        assertThat(Files.readString(page)).contains("20260104T", "and 4 more").doesNotContain("20260103T");
    }

    @Test
    void refusesToWriteOverRecordOfHistory() throws IOException {
        // given
        Path history = Files.createDirectories(folder.resolve("history"));
        Path record = Files.writeString(history.resolve("neuron-run-20260101T000000Z-a.json"), "a newer version");

        // when
        CommandFixture report = report("--history", history.toString(), "--html", record.toString());

        // then
        assertThat(report.status()).isEqualTo(2);
        assertThat(report.err()).contains("--html: " + record + " belongs to a run");
        assertThat(record).hasContent("a newer version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"absent/history", "file"})
    void refusesHistoryThatIsNoFolder(String name) throws IOException {
        // given
        Files.writeString(folder.resolve("file"), "content");

        // when
        CommandFixture report = report("--history", folder.resolve(name).toString());

        // then
        assertThat(report.status()).isEqualTo(2);
        assertThat(report.err()).contains(folder.resolve(name).toString());
        assertThat(folder.resolve("file")).hasContent("content");
        assertThat(folder.resolve("absent")).doesNotExist();
    }
}
