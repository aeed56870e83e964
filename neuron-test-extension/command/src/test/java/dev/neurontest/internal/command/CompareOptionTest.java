package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunLinesFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareOptionTest {

    @TempDir
    private Path folder;

    private Path previous;

    @BeforeEach
    void earlierRun() throws IOException {
        previous = folder.resolve("previous.json");
        Path runs = folder.resolve("earlier");
        run(runs, Outcome.PASSED);
        assertThat(CommandFixture.run("report", runs.toString(), "--json", previous.toString())
                        .status())
                .isZero();
    }

    private static void run(Path folder, Outcome outcome) throws IOException {
        new RunLinesFixture(4711)
                .started("ip-10-0-0-7")
                .onFake()
                .ran(RunLinesFixture.test("t"), outcome, "neuron0/neuron_core0")
                .finished()
                .writeTo(folder);
    }

    private CommandFixture report(Outcome outcome, String... more) throws IOException {
        Path runs = folder.resolve("runs");
        run(runs, outcome);
        String[] arguments = new String[more.length + 4];
        arguments[0] = "report";
        arguments[1] = runs.toString();
        arguments[2] = "--compare";
        arguments[3] = previous.toString();
        System.arraycopy(more, 0, arguments, 4, more.length);
        return CommandFixture.run(arguments);
    }

    @Test
    void printsChangesBelowReport() throws IOException {
        // when
        CommandFixture report = report(Outcome.FAILED);

        // then
        assertThat(report.out())
                .startsWith("Neuron Test report: 1 test of 1 JVM")
                .contains("\nCompared with " + previous + ", begun ", ": 1 test before, 1 now\n")
                .contains("  newly failing: 1\n    BertTest > t(): failed, was passed\n");
    }

    @Test
    void writesChangesToHtmlJsonAndMarkdown() throws IOException {
        // when
        CommandFixture report = report(
                Outcome.FAILED,
                "--html=" + folder.resolve("a.html"),
                "--json=" + folder.resolve("a.json"),
                "--markdown=" + folder.resolve("a.md"));

        // then
        assertThat(report.status()).as(report.err()).isZero();
        assertThat(folder.resolve("a.html")).content().contains("<summary>newly failing: 1</summary>");
        assertThat(folder.resolve("a.json")).content().contains("\"comparison\":{\"source\":");
        assertThat(folder.resolve("a.md")).content().contains("**newly failing: 1**");
    }

    @Test
    void doesNotChangeExitCode() throws IOException {
        // then a gate decides, and only that
        assertThat(report(Outcome.FAILED).status()).isZero();
        assertThat(report(Outcome.FAILED, "--gate").status()).isEqualTo(1);
    }

    @Test
    void refusesInvalidReportBeforeReadingRun() throws IOException {
        // given
        Files.writeString(previous, "{\"kind\": \"something else\"}");

        // when
        CommandFixture report = report(Outcome.PASSED, "--json=" + folder.resolve("a.json"));

        // then
        assertThat(report.status()).isEqualTo(2);
        assertThat(report.err())
                .isEqualTo("--compare: " + previous
                        + ": it is not a report of a run: it is of kind \"something else\", expected \"neuron-report\". Name the neuron-report.json of an"
                        + " earlier run, which neuron-test report --json and run --report write.\n");
        assertThat(report.out()).isEmpty();
        assertThat(folder.resolve("a.json")).doesNotExist();
    }

    @Test
    void jsonOptionMayReplaceComparedReport() throws IOException {
        // when
        report(Outcome.FAILED, "--json=" + previous);
        CommandFixture report = report(Outcome.PASSED);

        // then
        assertThat(report.out()).contains("  flaky: 1\n    BertTest > t(): passed only when run again, now\n");
    }
}
