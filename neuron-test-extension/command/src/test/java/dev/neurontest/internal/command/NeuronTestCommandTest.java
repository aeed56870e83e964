package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.terminal.Terminal;
import java.io.Writer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class NeuronTestCommandTest {

    @Test
    void helpShowsFirstSteps() {
        // when
        CommandFixture help = CommandFixture.run("--help");

        // then
        assertThat(help.status()).isZero();
        assertThat(help.out()).contains("Begin with:", "neuron-test doctor", "generate-completion", "Exit codes:");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "1, report --gate, a gate failed",
                "0, baseline approve --prune, all chosen proposals were accepted",
                "2, baseline, no COMMAND is given",
                "2, report baseline, \"nothing was decided: no run file, a wrong option, or a file that cannot be read or written\"",
                "3, report, \"\""
            })
    void meaningOfExitCodeIsThatOfHelp(int code, String words, String expected) {
        // when
        String meaning = NeuronTestCommand.meaning(code, words.split(" "));

        // then
        assertThat(meaning).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "doctor", "report", "baseline", "snapshot", "diff", "explain", "record", "fake"})
    void helpsWithEachCommand(String command) {
        // when
        CommandFixture help = CommandFixture.run(command, "--help");

        // then
        assertThat(help.status()).isZero();
        assertThat(help.out()).startsWith("Usage: neuron-test " + command);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "rnu, 'neuron-test run'",
                "doktor, 'neuron-test doctor'",
                "base, 'neuron-test baseline'",
                "baseline aprove, 'neuron-test baseline approve'",
                "fake lst, 'neuron-test fake list'",
                "report --gat, --gate",
                "run -cp x --scan-clas-path, --scan-class-path",
                "run --clas-path=x, --class-path",
                "doctor --jsn, --json",
                "baseline --derectory x show, --directory",
                "fake serve --rot=x, --root",
            })
    void suggestsNearestCommandOrOption(String line, String meant) {
        // when
        CommandFixture typo = CommandFixture.run(line.split(" "));

        // then
        assertThat(typo.status()).isEqualTo(2);
        assertThat(typo.err()).contains("Did you mean " + meant + "?").containsPattern("See 'neuron-test.* --help'");
        assertThat(typo.err().lines()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"zzzz", "report --wrong", "doctor more", "run -cp x -x", "fake zzzz"})
    void suggestsNothingForUnknownWord(String line) {
        // when
        CommandFixture wrong = CommandFixture.run(line.split(" "));

        // then
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err().lines()).as(wrong.err()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "run -cp x -Dneuron.test.lnc=1 | Write --config neuron.test.lnc=1.",
                "run -Dneuron.test.lnc=1 -cp x | Write --config neuron.test.lnc=1.",
                "run -Dneuron.test.lnc=1 | Write --config neuron.test.lnc=1.",
                "run -cp x -Dneuron.test.lnc | Write --config neuron.test.lnc=VALUE.",
                "run -cp x -Dneuron.test.output=a$b | Write --config 'neuron.test.output=a$b'.",
                "run -cp x -Djunit.jupiter.tempdir.cleanup.mode.default=NEVER | Write --config junit.jupiter.tempdir.cleanup.mode.default=NEVER.",
                "run -cp x -Dmodel=bert | Write --jvm-option=-Dmodel=bert: the tests run in a JVM of their own.",
                "doctor -Dneuron.test.platform=real | Set the variable before the command: NEURON_TEST_PLATFORM=real neuron-test doctor",
                "report -Dneuron.test.output=a | Set the variable before the command: NEURON_TEST_OUTPUT=a neuron-test report",
                "report -Dmodel=bert | Options for Java are in JDK_JAVA_OPTIONS.",
                "run -cp x --scan-class-path x | Write --scan-class-path=x.",
                "run -cp x --gate a.properties | Write --gate=a.properties.",
            })
    void namesPlaceOfProperty(String line, String advice) {
        // when
        CommandFixture wrong = CommandFixture.run(line.split(" "));

        // then
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err().lines()).contains(advice);
    }

    @ParameterizedTest
    @MethodSource
    void takesOptionalValueOnlyAfterEqualsSign(String command, String option) {
        // when
        CommandFixture wrong = CommandFixture.run((command + " " + option + " word").split(" "));

        // then
        assertThat(CommandFixture.run((command + " --help").split(" ")).out()).contains(option + "[=");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err()).containsAnyOf("Write " + option + "=word.", "word does not exist.");
    }

    static Stream<Arguments> takesOptionalValueOnlyAfterEqualsSign() {
        return commands(NeuronTestCommand.commandLine(Writer.nullWriter(), Writer.nullWriter(), Terminal.NONE))
                .flatMap(command -> command.getCommandSpec().options().stream()
                        .filter(option ->
                                option.arity().min() == 0 && option.arity().max() > 0)
                        .map(option -> Arguments.of(
                                command.getCommandSpec().qualifiedName().substring("neuron-test ".length()),
                                option.longestName())));
    }

    private static Stream<CommandLine> commands(CommandLine line) {
        return Stream.concat(
                Stream.of(line), line.getSubcommands().values().stream().flatMap(NeuronTestCommandTest::commands));
    }

    @Test
    void completesCommandsAndOptions() {
        // when
        CommandFixture completion = CommandFixture.run("generate-completion");

        // then
        assertThat(completion.out())
                .contains("complete ")
                .contains("--scan-class-path")
                .contains("doctor");
    }

    @Test
    void printsErrorWithoutStackTrace() {
        // when
        CommandFixture wrong = CommandFixture.run("diff", "none.json", "none.json");

        // then
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err())
                .isEqualTo("none.json: there is no such file or folder. 'neuron-test snapshot -o FILE' writes one.%n"
                        .formatted());
    }

    @Test
    void printsStackTraceWithOption() {
        // when
        CommandFixture wrong = CommandFixture.run("diff", "none.json", "none.json", "--stacktrace");

        // then
        assertThat(wrong.err())
                .contains("none.json: there is no such file or folder.")
                .contains("\tat ");
    }

    @Test
    void includesFakeCommand() {
        // when
        CommandFixture fake = CommandFixture.run("fake", "list");

        // then
        assertThat(fake.status()).isZero();
        assertThat(fake.out()).contains("trn1.32xlarge");
    }
}
