package dev.neurontest.fake.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the command reports any bad input in one line. */
class BadInputTest {

    @TempDir
    private Path folder;

    private record Ended(int status, String out, String err) {}

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectory(folder.resolve("empty"));
        Files.createFile(folder.resolve("file"));
    }

    /** Runs a command line, with words that begin with a slash resolved in the folder of the test. */
    private Ended run(String line) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = FakeSysfsCommand.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(Stream.of(line.split(" "))
                        .filter(word -> !word.isEmpty())
                        .map(word -> word.startsWith("/") ? folder + word : word)
                        .toArray(String[]::new));
        return new Ended(status, out.toString(), err.toString());
    }

    @Test
    void missingSubcommandShowsTheHelp() {
        // when
        Ended ended = run("");

        // then
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).startsWith("Usage: fake-sysfs [-hV] COMMAND").contains("Commands:", "serve");
    }

    @ParameterizedTest
    @ValueSource(strings = {"@", "serve --instance=@ --root=/new", "exec --from=@ x", "neff /@/x"})
    void ciCommandInAnArgumentIsEscaped(String line) {
        // when
        Ended ended = run(line.replace("@", "absent\n::error::y"));

        // then
        assertThat(ended.status()).isNotZero();
        assertThat(ended.err()).doesNotContain("\n::").contains(":\\u003aerror");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nothing | 2 | Unmatched argument at index 0: 'nothing'",
                "list more | 2 | 'more'",
                "serve | 2 | Missing required option: '--root=DIR'",
                "serve --instance trn9 --root /new | 2 | no instance type \"trn9\"; did you mean trn1.2xlarge",
                "serve --instance inf1.xlarge --layout driver-2.30 --root /new | 2 | do not support Inf1; use one of docs-2023,",
                "serve --instance trn1.2xlarge --root /file | 2 | is not a directory",
                "serve --from /nowhere --root /new | 2 | there is no such file; record it or correct the path",
                "serve --from /empty --root /new | 2 | it is a directory; use the recorded file",
                "serve --from /file --root /new | 2 | cannot replay",
                "exec | 125 | Missing required parameter: 'COMMAND'",
                "neff | 2 | Missing required parameter: 'FILE'",
                "neff /empty | 2 | empty: Is a directory",
                "neff /nowhere/x | 2 | nowhere/x: its folder does not exist",
                "neff /file/x | 2 | file/x: Not a directory",
                "neff --lnc 7 /x | 2 | 1 or 2 physical cores, not 7",
            })
    void wrongWordOrValueIsRefusedInOneLine(String line, int status, String words) {
        // when
        Ended ended = run(line);

        // then
        assertThat(ended.status()).as(ended.toString()).isEqualTo(status);
        assertThat(ended.err()).contains(words).doesNotContain("\tat ").doesNotContain("Exception");
        assertThat(ended.err().lines().filter(each -> !each.startsWith("See 'fake-sysfs")))
                .as(ended.err())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b[2J",
                "serve --instance \u001b[31m --root /new",
                "serve --from /\u009b31m --root /new",
                "neff /\u001b[2J/x",
                "exec --root /\u001b[2J/x --instance trn1.2xlarge -- true"
            })
    void controlCharactersAreNotPrinted(String line) {
        // when
        Ended ended = run(line);

        // then
        assertThat(ended.out() + ended.err())
                .contains("\\u00")
                .doesNotContainPattern("[\\p{Cntrl}\u007f-\u009f&&[^\n]]");
    }
}
