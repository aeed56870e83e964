package dev.neurontest.export;

import static dev.neurontest.export.ExportFixture.MFU;
import static dev.neurontest.export.ExportFixture.STACK;
import static dev.neurontest.export.ExportFixture.TIME;
import static dev.neurontest.export.ExportFixture.comparison;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.gate.RunFixture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtavaCsvIT {

    @TempDir
    Path folder;

    private Published append(RunFixture run, String commit) {
        return new OtavaCsv(folder).publish(RunPoints.of(run.report(), new Provenance(commit, "main"), Instant.EPOCH));
    }

    private static RunFixture measured(double time, double mfu) {
        return new RunFixture()
                .jvm("real")
                .compared(comparison(TIME, "infer()", STACK, time))
                .compared(comparison(MFU, "infer()", STACK, mfu));
    }

    private List<Path> histories() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".csv"))
                    .sorted()
                    .toList();
        }
    }

    private Path history() throws IOException {
        assertThat(histories()).hasSize(1);
        return histories().get(0);
    }

    private String python(String... arguments) throws IOException {
        Path script = Path.of("src/test/python/read_history.py").toAbsolutePath();
        List<String> command = Stream.concat(
                        Stream.of(InstalledServer.program("python3", "apt-get install python3")), Stream.of(arguments))
                .map(word -> word.equals("read_history.py") ? script.toString() : word)
                .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (InputStream output = process.getInputStream()) {
            String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            return process.onExit().join().exitValue() == 0 ? text : "failed: " + text;
        }
    }

    @Test
    void aRunIsARow() throws IOException {
        // when
        Published first = append(measured(0.017, 0.42), "abc1");
        append(measured(0.018, 0.41), "abc2");

        // then
        assertThat(first).hasToString("published to otava %s: 1 test".formatted(folder));
        assertThat(history()).hasContent("""
                time,branch,commit,mfu,total_time
                2026-11-21 02:01:00 +0000,main,abc1,0.42,0.017
                2026-11-21 02:01:00 +0000,main,abc2,0.41,0.018
                """);
    }

    @Test
    void aRunThatIsThereIsNotAddedAgain() throws IOException {
        // when
        append(measured(0.017, 0.42), "abc1");
        append(measured(0.017, 0.42), "abc1");

        // then
        assertThat(history()).content().hasLineCount(2);
        assertThat(folder.resolve("otava.yaml")).content().containsOnlyOnce("type: csv");
    }

    @Test
    void otherMetricsAndOtherStacksBeginAnotherFile() throws IOException {
        // when
        append(measured(0.017, 0.42), "abc1");
        append(new RunFixture().jvm("real").compared(comparison(TIME, "infer()", STACK, 1)), "abc2");
        append(new RunFixture().jvm("real").compared(comparison(TIME, "infer()", Map.of("driver", "2.31"), 1)), "abc3");

        // then
        assertThat(histories())
                .hasSize(3)
                .allSatisfy(file -> assertThat(file).content().hasLineCount(2));
        assertThat(folder.resolve("otava.yaml")).content().containsOnlyOnce("tests:");
    }

    @Test
    void aRowThatWasCutShortDoesNotSwallowTheNext() throws IOException {
        // given
        append(measured(0.017, 0.42), "abc1");
        Files.writeString(history(), Files.readString(history()).stripTrailing());

        // when
        append(measured(0.018, 0.41), "abc2");

        // then
        assertThat(history()).content().hasLineCount(3);
    }

    @Test
    void aLinkIsNotFollowed() throws IOException {
        // given
        append(measured(0.017, 0.42), "abc1");
        Path other = Files.writeString(folder.resolve("other"), "untouched");
        Path history = history();
        Files.delete(history);
        Files.createSymbolicLink(history, other);

        // when
        Published published = append(measured(0.018, 0.41), "abc2");

        // then
        assertThat(published.done()).isFalse();
        assertThat(other).hasContent("untouched");
    }

    @Test
    void whatIsSpecialInCsvIsQuoted() throws IOException {
        // given
        RunFixture run = new RunFixture().jvm("real").compared(comparison(TIME, ExportFixture.HOSTILE, STACK, 1));

        // when
        append(run, "a,\"b\"\nc");

        // then
        assertThat(history().getFileName().toString())
                .startsWith("com.acme.BertTest.a-b-c-d-e-f-")
                .endsWith(".csv");
        assertThat(history()).hasContent("""
                time,branch,commit,total_time
                2026-11-21 02:01:00 +0000,main,"a,""b"" c",1.0
                """);
    }

    @Test
    void pythonReadsItByTheRulesOfOtava() throws IOException {
        // given
        append(measured(0.017, 0.42), "abc,1");
        append(measured(0.018, 0.41), "abc2");

        // when
        String read = python(
                "read_history.py",
                "rules",
                folder.toString(),
                history().getFileName().toString());

        // then
        assertThat(read)
                .isEqualToIgnoringNewLines("{\"attributes\": {\"branch\": [\"main\", \"main\"], \"commit\": [\"abc,1\","
                        + " \"abc2\"]}, \"data\": {\"mfu\": [0.42, 0.41], \"total_time\": [0.017, 0.018]}, \"time\":"
                        + " [1795226460, 1795226460]}");
    }

    @Test
    void otavaReadsIt() throws IOException {
        // given
        assumeThat(python("-c", "import otava.importer"))
                .as("Apache Otava (pip install apache-otava)")
                .isEmpty();
        append(measured(0.017, 0.42), "abc,1");
        append(measured(0.018, 0.41), "abc2");

        // when
        String read = python(
                "read_history.py",
                "otava",
                folder.toString(),
                history().getFileName().toString());

        // then
        assertThat(read)
                .contains("\"data\": {\"mfu\": [0.42, 0.41], \"total_time\": [0.017, 0.018]}")
                .contains("\"directions\": {\"mfu\": 1, \"total_time\": -1}")
                .contains("\"commit\": [\"abc,1\", \"abc2\"]");
    }
}
