package dev.neurontest.internal.cluster.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @Test
    void ranksOfSeveralWorkloadsHaveTheirOwnFolders() throws IOException {
        assertThat(RemoteRanks.folder(parent, "node1", 3)).isEqualTo(parent.resolve("node1/rank-3"));
        assertThat(RemoteRanks.folder(parent, "node1", 3)).isEqualTo(parent.resolve("node1/rank-3-2"));
    }
}
