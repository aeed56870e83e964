package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Tests that problems in the shell blocks of a page are found. */
class ShellSessionIT {

    @TempDir(factory = TempDirFactory.Standard.class)
    private Path folder;

    private List<String> problems(String text) throws IOException, InterruptedException {
        Path page = Files.writeString(folder.resolve("page.md"), text);
        return new ShellSession(Files.createTempDirectory(folder, "session")).problems(Page.read(page), false);
    }

    @Test
    void blocksOfAPageShareASession() throws Exception {
        assertThat(problems("""
                <!-- setup
                hidden=1
                -->
                ```sh
                a=2
                sleep 60 &
                ```
                ```sh
                echo "$hidden $a in ${PWD##*/}"
                ```
                <!-- output -->
                ```text
                1 2 in home
                ```
                """)).isEmpty();
    }

    @Test
    void failedCommandIsReported() throws Exception {
        assertThat(problems("```sh\nls nothing\necho after\n```\n"))
                .singleElement()
                .asString()
                .startsWith("page.md:1: a command of the block failed with 2: ls nothing");
        assertThat(problems("<!-- exits with 2 -->\n```sh\nls nothing\n```\n")).isEmpty();
    }

    @Test
    void differingOutputIsShown() throws Exception {
        assertThat(problems("```sh\necho one\n```\n<!-- output -->\n```text\ntwo\n```\n"))
                .singleElement()
                .asString()
                .startsWith(
                        "page.md:5: the block differs from its source at its line 1\n  shown:  two\n  source: one\n");
    }

    @Test
    void blockMarkedNotRunIsParsed() throws Exception {
        assertThat(problems("<!-- not run: takes a cluster -->\n```sh\nkubectl apply -f x\n```\n"))
                .isEmpty();
        assertThat(problems("<!-- not run: takes a cluster -->\n```sh\nif true\n```\n"))
                .singleElement()
                .asString()
                .startsWith("page.md:2: bash cannot read the block: bash: line");
    }

    @Test
    void blockWithExitIsReported() throws Exception {
        assertThat(problems("```sh\nexit 3\n```\n"))
                .singleElement()
                .asString()
                .startsWith("page.md:1: the session ended in or before this block");
    }
}
