package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.terminal.Terminal;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Tests that the page of reports lists the exit codes of each command. {@code -Dupdate.docs=true} writes the list. */
class ExitCodesPageTest {

    private static final Path PAGE = Path.of("../../docs/reports-and-gates.md");
    private static final String HEAD = "| command | 0 | 1 | 2 | another |\n|---|---|---|---|---|\n";

    @Test
    void pageListsExitCodesOfEachCommand() throws IOException {
        // given
        String page = Files.readString(PAGE);
        int begin = page.indexOf(HEAD);
        assertThat(begin).as("the head of the table in %s", PAGE).isNotNegative();
        String expected = page.substring(0, begin)
                + HEAD
                + commands().map(ExitCodesPageTest::row).collect(Collectors.joining())
                + page.substring(page.indexOf("\n\n", begin) + 1);

        // when
        if (Boolean.getBoolean("update.docs")) {
            Files.writeString(PAGE, expected);
        }

        // then
        assertThat(Files.readString(PAGE))
                .as("%s; -Dupdate.docs=true writes it", PAGE)
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpEndsWithExitCodes(CommandSpec command) {
        // given
        Map<String, String> codes = command.usageMessage().exitCodeList();

        // when
        CommandFixture help = CommandFixture.run((name(command) + " --help").split(" "));

        // then
        String[] parts = help.out().split("Exit codes:\n");
        assertThat(parts).as(help.out()).hasSize(2);
        assertThat(parts[1].replaceAll("\\s+", " ").strip())
                .isEqualTo(codes.entrySet().stream()
                        .map(code -> code.getKey() + " " + code.getValue())
                        .collect(Collectors.joining(" ")));
    }

    /** Returns the commands that do something, and not only name others. */
    private static Stream<CommandSpec> commands() {
        return below(NeuronTestCommand.commandLine(Writer.nullWriter(), Writer.nullWriter(), Terminal.NONE));
    }

    private static Stream<CommandSpec> below(CommandLine line) {
        return line.getSubcommands().isEmpty()
                ? Stream.of(line.getCommandSpec())
                : line.getSubcommands().values().stream().flatMap(ExitCodesPageTest::below);
    }

    private static String name(CommandSpec command) {
        return command.qualifiedName().substring("neuron-test ".length());
    }

    private static String row(CommandSpec command) {
        Map<String, String> codes = command.usageMessage().exitCodeList();
        String others = codes.entrySet().stream()
                .filter(code -> !code.getKey().matches("[012]"))
                .map(code -> code.getKey().equals("other") ? code.getValue() : code.getKey() + ": " + code.getValue())
                .collect(Collectors.joining("; "));
        return Stream.concat(
                        Stream.of("`" + name(command) + "`"),
                        Stream.concat(
                                Stream.of("0", "1", "2").map(code -> codes.getOrDefault(code, "")), Stream.of(others)))
                .collect(Collectors.joining(" | ", "| ", " |\n"))
                .replace("|  |", "| |")
                .replace("|  |", "| |");
    }
}
