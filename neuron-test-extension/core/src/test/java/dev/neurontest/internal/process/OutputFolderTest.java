package dev.neurontest.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFolderTest {

    @TempDir
    Path parent;

    @Test
    void isFreshEachTime() throws IOException {
        // when
        Path first = OutputFolder.fresh(parent.resolve("made"), "capture");
        Path second = OutputFolder.fresh(parent.resolve("made"), "capture");

        // then
        assertThat(first).isEqualTo(parent.resolve("made/capture")).isEmptyDirectory();
        assertThat(second).isEqualTo(parent.resolve("made/capture-2")).isEmptyDirectory();
    }

    @Test
    void staysBelowParentForAnyName() throws IOException {
        // then
        assertThat(OutputFolder.fresh(parent, "../../a b\nc")).isEqualTo(parent.resolve(".._.._a_b_c"));
        assertThat(OutputFolder.fresh(parent, "..")).isEqualTo(parent.resolve("..-2"));
        assertThat(OutputFolder.fresh(parent, "x".repeat(300)).getFileName().toString())
                .hasSize(70);
    }

    @Test
    void refusesSymbolicLinkAsParent() throws IOException {
        // given
        Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
        Path link = Files.createSymbolicLink(parent.resolve("link"), elsewhere);

        // then
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> OutputFolder.fresh(link, "capture"))
                .withMessageContaining("symbolic link");
        assertThat(elsewhere).isEmptyDirectory();
    }
}
