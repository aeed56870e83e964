package dev.neurontest.internal.command;

import static dev.neurontest.internal.text.LogCommandsFixture.assertNoCommand;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.terminal.AnsiSequences;
import dev.neurontest.internal.terminal.VisibleWriter;
import dev.neurontest.internal.text.LogCommandsFixture;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.ObjectMapper;

/** Tests that names from tests, models, prints and logs never reach a terminal or a page as a command. */
class HostileNamesTest {

    /** A name that clears the screen, sets the title and turns the direction of writing, in C0 and C1. */
    private static final String NAME = "a\u001b[2J\u009b31m\u001b]0;b\u0007\u202ec\u2066d\r\be";

    private static final String SENT = "(?s).*([\\p{Cc}&&[^\\n]]|\\p{Cf}|\\p{Zl}|\\p{Zp}).*";

    @TempDir
    private Path folder;

    private Path run() throws Exception {
        byte[] lines = new RunLinesFixture(7)
                .started("ip-10-0-0-7" + NAME)
                .onHardware()
                .ran(RunLinesFixture.test(NAME), Outcome.FAILED, "neuron0/neuron_core3" + NAME)
                .finished()
                .bytes();
        return Files.write(folder.resolve("run-7-00000000-0000-0000-0000-000000000000.jsonl"), lines);
    }

    @Test
    void areEscapedInReport() throws Exception {
        // when
        CommandFixture report = CommandFixture.run(
                "report",
                "--html=" + folder.resolve("report.html"),
                "--markdown=" + folder.resolve("report.md"),
                run().toString(),
                folder.resolve("absent" + NAME).toString());

        // then
        assertThat(report.out() + report.err()).doesNotMatch(SENT).contains("a\\u001b[2J\\u009b31m");
        assertThat(folder.resolve("report.html")).content().doesNotMatch(SENT).contains("a\\u001b[2J\\u009b31m");
        assertThat(folder.resolve("report.md")).content().doesNotMatch(SENT).contains("u202e");
    }

    /** Verifies that names are escaped between the colours of the report. */
    @Test
    void areEscapedInColouredReport() throws Exception {
        // when
        CommandFixture report = CommandFixture.run(
                "report",
                "--color=always",
                run().toString(),
                folder.resolve("absent" + NAME).toString());

        // then
        assertThat(report.out()).contains("\u001b[31mFAILED\u001b[0m", "\u001b[33mproblem:\u001b[0m");
        assertThat(report.out().replaceAll("\u001b\\[([01]|3[123])m", ""))
                .doesNotMatch(SENT)
                .contains("a\\u001b[2J\\u009b31m");
    }

    @Test
    void areEscapedByDoctor() {
        // when
        CommandFixture doctor = CommandFixture.run("doctor", "--platform=root:" + folder.resolve(NAME));

        // then
        assertThat(doctor.out() + doctor.err()).doesNotMatch(SENT).contains("\\u001b[2J");
    }

    @Test
    void areUnchangedInDoctorJson() throws Exception {
        // when
        CommandFixture doctor = CommandFixture.run(
                "doctor", "--json", "--platform=root:" + Files.createDirectory(folder.resolve(NAME)));

        // then
        assertThat(doctor.out()).doesNotMatch(SENT);
        assertThat(new ObjectMapper().readTree(doctor.out()).at("/host").asString())
                .contains(NAME);
    }

    @Test
    void areEscapedInUsageError() {
        // when
        CommandFixture misused = CommandFixture.run("report", "--" + NAME);

        // then
        assertThat(misused.err()).doesNotMatch(SENT).contains("\\u001b[2J");
    }

    @Test
    void areEscapedByEveryWriteMethod() {
        // given output of tests, which run passes on, and output written character by character
        StringWriter terminal = new StringWriter();
        PrintWriter out = VisibleWriter.on(terminal, AnsiSequences.random());

        // when
        out.println(NAME);
        out.write(NAME.toCharArray(), 1, 2);
        out.append('\u009b').append("\n\t");

        // then
        assertThat(terminal).hasToString("""
                a\\u001b[2J\\u009b31m\\u001b]0;b\\u0007\\u202ec\\u2066d\\u000d\\u0008e
                \\u001b[\\u009b
                \t""");
    }

    @Test
    void areNoCiCommandsInReport() throws Exception {
        // given
        byte[] lines = new RunLinesFixture(7)
                .started("ip-10-0-0-7\n" + LogCommandsFixture.LINES)
                .onHardware()
                .ran(RunLinesFixture.test(LogCommandsFixture.LINES), Outcome.FAILED, "neuron0\n::error::y")
                .finished()
                .bytes();
        Path run = Files.write(folder.resolve("run-7-00000000-0000-0000-0000-000000000000.jsonl"), lines);

        // when
        CommandFixture report = CommandFixture.run(
                "report", run.toString(), folder.resolve("absent\n::error::y").toString());
        CommandFixture changes = CommandFixture.run("report", "--compare=" + run, run.toString());
        CommandFixture coloured = CommandFixture.run("report", "--color=always", run.toString());

        // then
        assertThat(report.out()).contains("ip-10-0-0-7");
        assertNoCommand(report.out() + "\n" + report.err());
        assertNoCommand(changes.out() + "\n" + changes.err());
        assertNoCommand(coloured.out() + "\n" + coloured.err());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "doctor --platform=root:@",
                "explain @ absent",
                "run --class-path=@",
                "snapshot --platform=root:@",
                "@",
                "report --gate=@",
                "--@",
                "baseline show --baselines=@"
            })
    void areNoCiCommandsInUsageErrors(String words) {
        // given
        String name = folder.resolve("absent") + "\n" + LogCommandsFixture.LINES;
        String[] arguments =
                Stream.of(words.split(" ")).map(word -> word.replace("@", name)).toArray(String[]::new);

        // when
        CommandFixture misused = CommandFixture.run(arguments);

        // then
        assertThat(misused.out() + misused.err()).contains("error");
        assertNoCommand(misused.out() + "\n" + misused.err());
    }

    @ParameterizedTest
    @FieldSource("dev.neurontest.internal.text.LogCommandsFixture#COMMANDS")
    void areNoCiCommandsWhenWrittenInParts(String command) {
        for (int first = 0; first < command.length(); first++) {
            for (int second = first; second < command.length(); second++) {
                // given
                StringWriter terminal = new StringWriter();
                PrintWriter out = VisibleWriter.on(terminal, AnsiSequences.random());

                // when
                out.print("x\n" + command.substring(0, first));
                out.flush();
                out.print(command.substring(first, second));
                out.flush();
                out.println(command.substring(second));

                // then
                assertNoCommand(terminal.toString());
            }
        }
    }

    @Test
    void areUnchangedInMiddleOfLine() {
        // given
        StringWriter terminal = new StringWriter();
        PrintWriter out = VisibleWriter.on(terminal, AnsiSequences.random());

        // when
        out.print("a name that is longer than what is kept of its line");
        out.print("::b ");
        out.print("::c\n");

        // then
        assertThat(terminal).hasToString("a name that is longer than what is kept of its line::b ::c\n");
    }
}
