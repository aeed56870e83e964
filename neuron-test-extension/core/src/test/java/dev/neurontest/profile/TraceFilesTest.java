package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFilesTest {

    @TempDir
    Path folder;

    private Path file(String name) throws IOException {
        return Files.writeString(folder.resolve(name), "x");
    }

    private static List<String> found(TraceFiles files) {
        return files.traces().stream()
                .map(trace -> trace.file().getFileName() + " " + trace.rank().orElse(-1) + " " + trace.index())
                .toList();
    }

    @Test
    void areNamedByTheirExecution() throws IOException {
        // given
        file("profile.ntff");
        file("profile_exec_2.ntff");
        file("profile_exec_10.ntff");

        // when
        TraceFiles files = TraceFiles.find(folder, List.of(1, 2, 10), List.of());

        // then
        assertThat(found(files))
                .containsExactly("profile.ntff -1 1", "profile_exec_2.ntff -1 2", "profile_exec_10.ntff -1 10");
        assertThat(files.notices()).isEmpty();
    }

    @Test
    void areNamedByRankAndExecution() throws IOException {
        // given
        file("profile_rank_2_exec_2.ntff");
        file("profile_rank_10_exec_2.ntff");

        // when
        TraceFiles files = TraceFiles.find(folder, List.of(2), List.of(2, 10));

        // then
        assertThat(found(files)).containsExactly("profile_rank_2_exec_2.ntff 2 2", "profile_rank_10_exec_2.ntff 10 2");
        assertThat(files.missingRanks()).isEmpty();
    }

    @Test
    void reportMissingRank() throws IOException {
        // given
        file("profile_rank_0.ntff");

        // then
        assertThat(TraceFiles.find(folder, List.of(1), List.of(0, 1)).missingRanks())
                .containsExactly(1);
    }

    @Test
    void haveRanksWhenToolChoosesWorkers() throws IOException {
        // given
        file("profile_rank_0.ntff");
        file("profile_rank_1.ntff");

        // then
        assertThat(found(TraceFiles.find(folder, List.of(1), List.of())))
                .containsExactly("profile_rank_0.ntff 0 1", "profile_rank_1.ntff 1 1");
    }

    @Test
    void areIgnoredForWarmup() throws IOException {
        // given
        file("profile.ntff");
        file("profile_exec_2.ntff");

        // then
        assertThat(found(TraceFiles.find(folder, List.of(2), List.of()))).containsExactly("profile_exec_2.ntff -1 2");
    }

    @Test
    void newestIsUsedWhenExpectedNameIsMissing() throws IOException {
        // given
        Files.setLastModifiedTime(file("profile_b.ntff"), FileTime.fromMillis(1_000));
        Files.setLastModifiedTime(file("profile_a.ntff"), FileTime.fromMillis(2_000));

        // when
        TraceFiles files = TraceFiles.find(folder, List.of(2), List.of());

        // then
        assertThat(found(files)).containsExactly("profile_a.ntff -1 1");
        assertThat(files.notices())
                .containsExactly(folder.resolve("profile_a.ntff")
                        + " was used, because execution 2 left no NTFF with the expected name.");
    }

    @Test
    void reportMissingExecution() throws IOException {
        // given
        file("profile_exec_2.ntff");

        // then
        assertThat(TraceFiles.find(folder, List.of(2, 4), List.of()).missingExecutions())
                .containsExactly("Execution 4 left no NTFF in " + folder + ".");
    }

    @Test
    void reportMissingExecutionOfRank() throws IOException {
        // given
        file("profile_rank_0_exec_2.ntff");
        file("profile_rank_0_exec_4.ntff");
        file("profile_rank_1_exec_2.ntff");

        // then
        assertThat(TraceFiles.find(folder, List.of(2, 4), List.of(0, 1)).missingExecutions())
                .containsExactly("Execution 4 of rank 1 left no NTFF in " + folder + ".");
    }

    @Test
    void oneOtherNameDoesNotReplaceSeveralExecutions() throws IOException {
        // given
        file("profile_a.ntff");

        // then
        assertThat(TraceFiles.find(folder, List.of(2, 3), List.of()).missingExecutions())
                .containsExactly("Execution 2, 3 left no NTFF in " + folder + ".");
        assertThat(TraceFiles.find(folder, List.of(2), List.of()).missingExecutions())
                .isEmpty();
    }

    @Test
    void linksAndFoldersAreIgnored() throws IOException {
        // given
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path secret = Files.writeString(elsewhere.resolve("secret"), "x");
        Files.createSymbolicLink(folder.resolve("profile_exec_2.ntff"), secret);
        Files.createDirectory(folder.resolve("profile.ntff"));

        // when
        TraceFiles files = TraceFiles.find(folder, List.of(1, 2), List.of());

        // then
        assertThat(files.traces()).isEmpty();
        assertThat(files.notices())
                .containsExactly(
                        folder.resolve("profile.ntff") + " is ignored: it is not a regular file.",
                        folder.resolve("profile_exec_2.ntff")
                                + " is ignored: it is a symbolic link, which is not followed.");
    }

    @Test
    void filesOfOtherNamesAreIgnored() throws IOException {
        // given
        file("other.ntff");
        file("profile.ntff.tmp");

        // then
        assertThat(TraceFiles.find(folder, List.of(1), List.of()).traces()).isEmpty();
    }
}
