package dev.neurontest.internal.cluster.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteRanksTest {

    @TempDir
    private Path parent;

    @ParameterizedTest
    @CsvSource({
        "node1, node1/rank-3",
        "node1.example.com, node1.example.com/rank-3",
        "../../etc, __.._etc/rank-3",
        "a/b, a_b/rank-3",
        "..., _/rank-3",
        "'', _/rank-3",
        "'new\nline', new_line/rank-3"
    })
    void folderOfRankIsWithinFolderOfTest(String host, String expected) throws IOException {
        assertThat(RemoteRanks.folder(parent, host, 3)).isEqualTo(parent.resolve(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "/etc", "line\nbreak", "\u001b[31m"})
    void hostCannotChooseWhereItsFilesAreWritten(String name) {
        assertThatThrownBy(() -> RemoteRanks.target(parent, List.of("traces", name)))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("is no name of a file")
                .hasMessageNotContainingAny("\n", "\u001b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.ntff", "..a", "a b", "\u00e9"})
    void unusualNamesOfFilesAreKept(String name) throws IOException {
        assertThat(RemoteRanks.target(parent, List.of("traces", name)))
                .isEqualTo(parent.resolve("traces").resolve(name));
    }

    @Test
    void ranksOfSeveralWorkloadsHaveTheirOwnFolders() throws IOException {
        assertThat(RemoteRanks.folder(parent, "node1", 3)).isEqualTo(parent.resolve("node1/rank-3"));
        assertThat(RemoteRanks.folder(parent, "node1", 3)).isEqualTo(parent.resolve("node1/rank-3-2"));
    }
}
