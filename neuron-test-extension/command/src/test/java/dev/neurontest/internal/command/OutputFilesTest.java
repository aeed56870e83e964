package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.host.Pipes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that no command writes over a file of a run or one that it reads, or creates a missing folder. */
@DisabledOnOs(OS.WINDOWS)
class OutputFilesTest {

    private static final String RUN = "run-7-00000000-0000-0000-0000-000000000000";
    private static final String HOST = "--platform=fake:trn1.2xlarge";

    @TempDir
    private Path folder;

    @BeforeEach
    void prepare() throws IOException {
        Path runs = Files.createDirectory(folder.resolve("runs"));
        byte[] run = new RunLinesFixture(7)
                .started("ip-10-0-0-7")
                .onHardware()
                .ran(RunLinesFixture.test("good"), Outcome.PASSED, "neuron0/neuron_core3")
                .finished()
                .bytes();
        Path file = Files.write(runs.resolve(RUN + ".jsonl"), run);
        Files.write(folder.resolve("renamed.txt"), run);
        Files.createSymbolicLink(folder.resolve("link.html"), file);
        Files.createSymbolicLink(folder.resolve("alias"), runs);
        Files.createLink(folder.resolve("hard.html"), file);
        Path attached = Files.createDirectories(runs.resolve(RUN).resolve("1"));
        Files.writeString(attached.resolve("neuron-profile.html"), "profile");
        Path gates = Files.writeString(folder.resolve("gates.properties"), "failed.max = 1\n");
        Files.createLink(folder.resolve("gates-too"), gates);
        Files.createSymbolicLink(folder.resolve("gates-link"), gates);
        CommandFixture.run("report", runs.toString(), "--json=" + folder.resolve("earlier.json"));
        CommandFixture.run(
                "record", HOST, "-o", folder.resolve("host.archive.txt").toString());
        Files.createDirectories(folder.resolve("tree/sys/devices/virtual/neuron_device"));
        Files.writeString(folder.resolve("tree/sys/counter"), "7");
        Files.writeString(folder.resolve("jar"), "packed");
    }

    /** Runs a command line, with words that begin with a slash resolved in the folder of the test. */
    private CommandFixture run(String line) {
        return CommandFixture.run(Stream.of(line.replace("RUN", RUN).split(" "))
                .map(word -> word.replaceFirst("^(--[a-z-]+=(replay:|root:)?)?/", "$1" + folder + "/"))
                .toArray(String[]::new));
    }

    private Map<String, String> content() throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.toList()) {
                content.put(each.toString(), Files.isRegularFile(each) ? Files.readString(each) : "");
            }
        }
        return content;
    }

    private void assertRefused(String line, String... words) throws IOException {
        // given
        Map<String, String> before = content();

        // when
        CommandFixture refused = run(line);

        // then
        assertThat(refused.status()).as(refused.toString()).isEqualTo(2);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err()).doesNotContain("Exception").contains(words);
        assertThat(content()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "report /runs --html /runs/RUN.jsonl",
                "report --html /runs/RUN.jsonl /runs",
                "report /runs --json /runs/RUN.jsonl",
                "report /runs --markdown /runs/RUN.jsonl",
                "report /runs --html /runs/../runs/RUN.jsonl",
                "report /runs --html /alias/RUN.jsonl",
                "report /runs --html /link.html",
                "report /runs --html /hard.html",
                "report /runs --html /renamed.txt",
                "report /runs --html /run-new.jsonl",
                "report /runs --html /run-new.jsonl.gz",
                "report /runs --html /runs/RUN/1/neuron-profile.html",
                "snapshot " + HOST + " -o /runs/RUN.jsonl",
                "record " + HOST + " -o /renamed.txt",
                "record " + HOST + " -o /run-new.jsonl -- true",
                "explain /earlier.json /earlier.json --html /renamed.txt",
            })
    void keepFilesOfRun(String line) throws IOException {
        assertRefused(line, "belongs to a run, by its name, its folder or its content: name another file.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "report /runs --gate=/gates.properties --html=/gates.properties | --html | --gate",
                "report /runs --gate=/gates.properties --json=/gates-too | --json | --gate",
                "report /runs --gate=/gates.properties --markdown=/gates-link | --markdown | --gate",
                "report /runs --gate=/gates-link --html=/runs/../gates.properties | --html | --gate",
                "report /runs --compare=/earlier.json --html=/earlier.json | --html | --compare",
                "report /runs --compare=/earlier.json --markdown=/alias/../earlier.json | --markdown | --compare",
                "report /jar /runs --html=/jar | --html | FILE",
                "snapshot --platform=replay:/host.archive.txt -o /host.archive.txt | -o | --platform",
                "snapshot --platform=root:/tree -o /tree/sys/counter | -o | --platform",
                "record --platform=replay:/host.archive.txt -o /host.archive.txt | -o | --platform",
                "explain /earlier.json /gates.properties --html=/earlier.json | --html | BEFORE",
                "explain /gates.properties /earlier.json --html=/earlier.json | --html | AFTER",
                "explain /earlier.json /earlier.json --duckdb=/jar --html=/jar | --html | --duckdb",
            })
    void keepInputs(String line, String output, String input) throws IOException {
        assertRefused(line, output + ": ", " would replace what " + input + " reads, ", ": name another file.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "report /runs --html=/a --json=/a | --html and --json",
                "report /runs --html=/a --markdown=/runs/../a | --html and --markdown",
                "report /runs --json=/runs/a --markdown=/alias/a | --json and --markdown",
                "report /runs --json=/jar --markdown=/jar | --json and --markdown",
            })
    void areDistinct(String line, String options) throws IOException {
        assertRefused(line, options + " both name ", ": name two files.");
    }

    @ParameterizedTest
    @CsvSource({
        "report /runs --html=/no/such/x, --html",
        "report /runs --json=/no/x, --json",
        "report /runs --markdown=/no/x, --markdown",
        "snapshot " + HOST + " -o /no/x, -o",
        "record " + HOST + " -o /no/x, -o",
        "record " + HOST + " -o /no/x -- true, -o",
        "explain /earlier.json /earlier.json --html=/no/x, --html",
        "run -cp /runs --scan-class-path --report=/no/x, --report",
        "run -cp /runs --scan-class-path --reports-dir=/no/x, --reports-dir",
        "baseline approve --output=/runs --directory=/no/x, --directory",
    })
    void needExistingFolder(String line, String option) throws IOException {
        assertRefused(
                line,
                option + ": ",
                " cannot be written, because " + folder + "/no",
                " does not exist: create it first.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"report /runs --html=/pipe", "report /runs --json=/pipe", "record " + HOST + " -o /pipe"})
    void neverReplacePipe(String line) throws IOException {
        // given
        Path pipe = folder.resolve("pipe");
        Pipes.make(pipe);

        // when
        CommandFixture refused = run(line);

        // then
        assertThat(refused.status()).as(refused.toString()).isEqualTo(2);
        assertThat(refused.err()).contains(pipe + " is not a regular file and would be replaced: name a file.");
        assertThat(Files.isRegularFile(pipe)).isFalse();
    }

    @Test
    void mayReplaceEarlierOutputs() {
        // given
        String line = "report /runs --compare=/earlier.json --json=/earlier.json --html=/runs/a.html --markdown=";

        // when
        CommandFixture first = run(line + "/a.md");
        CommandFixture second = run(line + "/a.md");

        // then
        assertThat(first.status()).as(first.err()).isZero();
        assertThat(second.status()).as(second.err()).isZero();
        assertThat(second.out()).contains("report: " + folder + "/earlier.json", "report: " + folder + "/runs/a.html");
    }
}
