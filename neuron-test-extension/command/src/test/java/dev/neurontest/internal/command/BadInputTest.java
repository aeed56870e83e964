package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.host.Pipes;
import dev.neurontest.internal.terminal.Terminal;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a command reports any bad input in one line with a remedy, and ends with 2. */
class BadInputTest {

    private static final String HOST = "--platform=fake:trn1.2xlarge";

    @TempDir
    private Path folder;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectory(folder.resolve("empty"));
        Files.createFile(folder.resolve("file"));
        byte[] run = new RunLinesFixture(7)
                .started("ip-10-0-0-7")
                .onHardware()
                .ran(RunLinesFixture.test("good"), Outcome.PASSED, "neuron0/neuron_core3")
                .finished()
                .bytes();
        Files.write(folder.resolve("run-7-00000000-0000-0000-0000-000000000000.jsonl"), run);
    }

    /** Runs a command line, with words that begin with a slash resolved in the folder of the test. */
    private CommandFixture run(String line) {
        return CommandFixture.run(Stream.of(line.split(" "))
                .filter(word -> !word.isEmpty())
                .map(word -> word.replaceFirst("^(--[a-z-]+=)?/", "$1" + folder + "/")
                        .replace("RUN", "run-7-00000000-0000-0000-0000-000000000000.jsonl"))
                .toArray(String[]::new));
    }

    private void assertToldInOneLine(CommandFixture ended) {
        assertThat(ended.status()).as(ended.toString()).isEqualTo(2);
        assertThat(ended.err()).doesNotContain("\tat ").doesNotContain("Exception");
        assertThat(ended.err().lines().filter(line -> !line.startsWith("See 'neuron-test")))
                .as(ended.err())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "baseline", "fake"})
    void missingSubcommandShowsHelp(String line) {
        // when
        CommandFixture ended = run(line);

        // then
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .startsWith("Usage: neuron-test %s".formatted(line).strip() + " [")
                .contains("Commands:");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "run, Missing required option: '--class-path=PATH'",
                "diff, \"Missing required parameters: 'BEFORE', 'AFTER'\"",
                "fake serve, Missing required option: '--root=DIR'",
                "fake serve --root /new, Error: Missing required argument (specify one of these): (--instance=TYPE | --from=FILE)",
                "fake neff, Missing required parameter: 'FILE'",
            })
    void missingOptionOrParameterIsNamed(String line, String words) {
        // when
        CommandFixture ended = run(line);

        // then
        assertToldInOneLine(ended);
        assertThat(ended.err()).contains(words, "--help'.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "doctor more",
                "baseline show more",
                "baseline diff more",
                "baseline approve more",
                "snapshot more",
                "diff /file /file more",
                "fake list more",
                "fake serve --root /new --instance trn1.2xlarge more",
                "generate-completion --wrong",
                "generate-completion more",
                "run -cp /empty --wrong",
                "report --wrong",
                "record --wrong"
            })
    void unexpectedArgumentIsNamed(String line) {
        // when
        CommandFixture ended = run(line);

        // then
        assertThat(ended.status()).as(ended.toString()).isEqualTo(2);
        assertThat(ended.err()).containsPattern("'(more|--wrong)'").contains("--help'.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run -cp /nowhere --scan-class-path | No entry of the class path exists",
                "run -cp /empty --scan-class-path --report /file | file: there is a file where a folder should be",
                "run -cp /empty --scan-class-path --reports-dir /file | file: there is a file where a folder should be",
                "run -cp /empty --scan-class-path -n ( | '(' is not a regular expression",
                "run -cp /empty | Select the tests to run: --scan-class-path for all",
                "run -cp /empty --scan-class-path --timeout 5 | '5': the unit is missing. Expected a duration such as",
                "run -cp /empty --scan-class-path --platform fake:trn9 | from --platform: no instance type \"trn9\"; did you mean trn1.2xlarge",
                "run -cp /empty --scan-class-path --platform=root:/nowhere | nowhere is not a host root",
                "run -cp /empty --scan-class-path --platform=replay:/nowhere | nowhere: there is no such file; record it or correct the path",
                "run -cp /empty --scan-class-path --platform fakee:trn1 | --platform is \"fakee:trn1\": unknown platform \"fakee\"",
                "report /nowhere | nowhere does not exist. Nothing was read from there",
                "report /empty | No run could be read (tests write run files to the folder of neuron.test.output)",
                "report /file | No run could be read",
                "report --gate=/nowhere /RUN | nowhere: there is no such file or folder. Name a file of lines such as",
                "report --limit few=1 /RUN | \"few\" is not a gate, the gates are",
                "report --html /empty /RUN | empty is a folder: name a file",
                "report --json /empty /RUN | empty is a folder: name a file",
                "report --markdown /empty /RUN | empty is a folder: name a file",
                "report --html /file/x /RUN | file is not a folder",
                "report --otlp :: /RUN | --otlp: the URL is malformed",
                "diff /nowhere /file | nowhere: there is no such file or folder. 'neuron-test snapshot -o FILE' writes one",
                "explain /nowhere b | nowhere. Expected the folder that",
                "explain a b --html /empty | empty is a folder: name a file.",
                "diff /empty /empty | empty: it is a folder and was not read, expected a snapshot",
                "diff /file /file | is not a snapshot of counters",
                "snapshot -o /nowhere/x " + HOST + " | nowhere does not exist: create it first.",
                "snapshot -o /empty " + HOST + " | empty is a folder: name a file",
                "record -o /nowhere/x " + HOST + " | nowhere does not exist: create it first.",
                "record -o /empty " + HOST + " | empty is a folder: name a file",
                "record --for 1s " + HOST
                        + " -- true | --for and a COMMAND both define how long to record: remove one of them",
                "record --every 1s " + HOST + " | --every needs --for or a COMMAND: without them the host is read once",
                "record --platform=replay:/no/such/file | cannot replay /no/such/file",
                "record --platform=root:/var | /var is not a host root, because it has no sys/devices/virtual/neuron_device",
                "record --for 3x " + HOST + " | it is not a duration",
                "record -o /x " + HOST + " -- /nowhere | cannot be started",
                "fake serve --instance trn9 --root /new | no instance type \"trn9\"; did you mean trn1.2xlarge",
                "fake serve --from /nowhere --root /new | there is no such file; record it or correct the path",
                "fake serve --from /empty --root /new | it is a directory; use the recorded file",
                "fake serve --instance trn1.2xlarge --root /file | is not a directory",
                "fake neff /empty | empty: Is a directory",
                "fake neff /nowhere/x | nowhere/x: its folder does not exist",
                "fake neff --lnc 7 /x | 1 or 2 physical cores, not 7",
                "doctor --color=sometimes | expected one of [AUTO, ALWAYS, NEVER] (case-insensitive) but was 'sometimes'",
            })
    void wrongValueIsExplainedInOneLine(String line, String words) {
        // when
        CommandFixture ended = run(line);

        // then
        assertToldInOneLine(ended);
        assertThat(ended.err()).contains(words);
    }

    @Test
    void folderGivenAsReportFileIsKept() {
        // when
        run("report --json /empty /RUN");

        // then
        assertThat(folder.resolve("empty")).isDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"snapshot -o /closed/x " + HOST, "record -o /closed/x " + HOST, "fake neff /closed/x"})
    void unwritableFolderIsReportedInOneLine(String line) throws IOException {
        // given
        assumeFalse(System.getProperty("user.name").equals("root"), "root may write to every folder");
        Files.createDirectory(
                folder.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------")));

        // then
        assertToldInOneLine(run(line));
    }

    static Stream<String> commands() {
        return Stream.of(
                "",
                "run",
                "doctor",
                "report",
                "baseline",
                "baseline show",
                "baseline diff",
                "baseline approve",
                "snapshot",
                "diff",
                "explain",
                "record",
                "generate-completion",
                "fake",
                "fake list",
                "fake serve",
                "fake exec",
                "fake neff");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpFitsWideTerminalWithoutControlCharacters(String command) {
        // given
        Terminal wide = new Terminal(Map.of("COLUMNS", "200"), false);

        // when
        CommandFixture help =
                CommandFixture.on(wide, (command + " --help").strip().split(" "));

        // then
        assertThat(help.out()).startsWith("Usage: neuron-test").doesNotContain("\u001b");
        assertThat(help.out().lines().mapToInt(String::length).max().orElse(0)).isLessThanOrEqualTo(200);
    }

    @Test
    void helpIsColouredUnlessColorIsNever() {
        // given
        Terminal coloured = new Terminal(Map.of("FORCE_COLOR", "1"), false);

        // then
        assertThat(CommandFixture.on(coloured, "run", "--help").out())
                .contains("\u001b[1m")
                .doesNotContain("\\u001b");
        assertThat(CommandFixture.on(coloured, "run", "--help", "--color=never").out())
                .doesNotContain("\u001b");
    }

    @Test
    void aDiagnosisFitsOnANarrowTerminal() {
        // given
        Terminal narrow = new Terminal(Map.of("COLUMNS", "40", "FORCE_COLOR", "1"), false);

        // when
        CommandFixture doctor = CommandFixture.on(narrow, "doctor", HOST);

        // then
        assertThat(doctor.out()).contains("\u001b[32mOK  \u001b[0m  devices    trn1.2xlarge:");
        assertThat(doctor.out().replaceAll("\u001b\\[[0-9]+m", "").lines().skip(1))
                .allSatisfy(
                        line -> assertThat(line.length() <= 40 || !line.strip().contains(" "))
                                .as(line)
                                .isTrue());
    }

    /** Verifies that pipes are refused, because opening one waits for its writer and would block the command. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "report --gate=/pipe /RUN, is a pipe and was not read",
                "report --compare=/pipe /RUN, is a pipe and was not read",
                "diff /pipe /pipe, is a pipe and was not read",
                "explain /pipe /pipe, is neither a file nor a folder",
                "snapshot --platform=replay:FOLDER/pipe, it is a pipe; use the recorded file",
                "report --compare=/empty /RUN, is a folder and was not read",
                "diff /empty /empty, is a folder and was not read"
            })
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void pipeOrFolderInsteadOfFileIsRefused(String line, String words) {
        // given
        Pipes.make(folder.resolve("pipe"));

        // when
        CommandFixture ended = run(line.replace("FOLDER", folder.toString()));

        // then
        assertToldInOneLine(ended);
        assertThat(ended.err()).contains(words);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "report --gate=/large /RUN, a file of gates has at most 1 MiB",
                "report --compare=/large /RUN, the JSON of a report has at most 4 GiB",
                "diff /large /large, a snapshot of counters has at most 16 MiB",
            })
    void fileBeyondSizeLimitIsRefused(String line, String words) throws IOException {
        // given
        try (RandomAccessFile large =
                new RandomAccessFile(folder.resolve("large").toFile(), "rw")) {
            large.setLength(8L << 30);
        }

        // when
        CommandFixture ended = run(line);

        // then
        assertToldInOneLine(ended);
        assertThat(ended.err()).contains("has 8589934592 bytes, and " + words);
    }
}
