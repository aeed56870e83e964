package dev.neurontest.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the parser of {@code proc}, without a process. */
class ProcessTableTest {

    private static final long SELF = ProcessHandle.current().pid();

    private final Map<String, String> files = new HashMap<>();
    private final ProcessTable table = new ProcessTable(this::read, "me", "here");

    private byte[] read(String path) throws NoSuchFileException {
        return Optional.ofNullable(files.get(path))
                .orElseThrow(() -> new NoSuchFileException(path))
                .getBytes(StandardCharsets.UTF_8);
    }

    private void process(long pid, long parent, long started) {
        files.put(pid + "/stat", pid + " (sleep) S " + parent + " 0".repeat(17) + " " + started);
    }

    @ParameterizedTest
    @CsvSource({
        "(a later one) S, 1, 701, ENDED",
        "(a) Z 9 (b) S, 1, 700, ALIVE",
        "(sleep) Z, 1, 700, ENDED",
        "(sleep) X, 1, 700, ENDED",
        "(whose first thread has ended) Z, 3, 700, ALIVE"
    })
    void detectsEndedProcessByStateAndStart(
            String nameAndState, int threads, long started, ProcessTable.Liveness life) {
        // given
        files.put("55/stat", "55 " + nameAndState + " 1" + " 0".repeat(15) + " " + threads + " 0 " + started);

        // then
        assertThat(table.liveness(new ProcessIdentity(55, 700, "here", "me"))).isEqualTo(life);
    }

    @Test
    void detectsStoppedProcess() {
        for (String state : List.of("T", "t")) {
            // given
            files.put("55/stat", "55 (java) " + state + " 1" + " 0".repeat(17) + " 700");

            // then
            assertThat(table.isStopped(new ProcessIdentity(55, 700, "here", "me")))
                    .isTrue();
            assertThat(table.isStopped(new ProcessIdentity(55, 700, "here elsewhere", "me")))
                    .as("another process of the same number")
                    .isFalse();
        }
        process(55, 1, 700);
        assertThat(table.isStopped(new ProcessIdentity(55, 700, "here", "me"))).isFalse();
    }

    @Test
    void reportsUnknownForHiddenProcessOfOtherUser() {
        // given
        process(SELF, 1, 1);
        ProcessIdentity other = new ProcessIdentity(55, 700, "here", "you");

        // then
        assertThat(table.liveness(other)).isEqualTo(ProcessTable.Liveness.UNKNOWN);
        assertThat(table.liveness(new ProcessIdentity(55, 700, "here", "me")))
                .as("of the same user")
                .isEqualTo(ProcessTable.Liveness.ENDED);

        // when
        process(1, 0, 0);

        // then
        assertThat(table.liveness(other)).isEqualTo(ProcessTable.Liveness.ENDED);
    }

    @Test
    void usesProcessHandleWithoutProc() {
        // then
        assertThat(table.liveness(table.self())).isEqualTo(ProcessTable.Liveness.ALIVE);
        assertThat(table.liveness(new ProcessIdentity(999_999_999, -1, "here", "me")))
                .isEqualTo(ProcessTable.Liveness.ENDED);
    }

    @Test
    void identifiesProcessByPidAndStart() {
        // given
        process(55, 1, 700);

        // then
        assertThat(table.identity(55)).isEqualTo(new ProcessIdentity(55, 700, "here", "me"));
        assertThat(table.identity(56)).isEqualTo(new ProcessIdentity(56, -1, "here", "me"));
    }

    @Test
    void matchesPidAloneWhenStartIsUnknown() {
        // given
        process(SELF, 1, 1);
        process(55, 1, 700);

        // then
        assertThat(table.liveness(new ProcessIdentity(55, -1, "here", "me"))).isEqualTo(ProcessTable.Liveness.ALIVE);
        assertThat(table.liveness(new ProcessIdentity(55, 0, "here", "me"))).isEqualTo(ProcessTable.Liveness.ENDED);
    }

    @Test
    void countsProcessOfEarlierBootAsEnded() {
        // given
        ProcessTable table = new ProcessTable(this::read, "me", "boot2 pid:[1]");
        process(55, 1, 700);

        // then
        assertThat(table.liveness(new ProcessIdentity(55, 700, "boot2 pid:[1]", "me")))
                .isEqualTo(ProcessTable.Liveness.ALIVE);
        assertThat(table.liveness(new ProcessIdentity(55, 700, "boot1 pid:[1]", "me")))
                .isEqualTo(ProcessTable.Liveness.ENDED);
        assertThat(table.liveness(new ProcessIdentity(55, 700, "boot2 pid:[2]", "me")))
                .as("of another container")
                .isEqualTo(ProcessTable.Liveness.UNKNOWN);
        assertThat(table.liveness(new ProcessIdentity(55, 700, "unknown", "me")))
                .isEqualTo(ProcessTable.Liveness.UNKNOWN);
    }

    @Test
    void distinguishesContainersWhenBootIsUnknown(@TempDir Path proc) throws IOException {
        // given a proc that shows processes only
        Files.createDirectories(proc.resolve("self/ns"));
        Files.createSymbolicLink(proc.resolve("self/ns/pid"), Path.of("pid:[1]"));
        Files.createSymbolicLink(proc.resolve("self/ns/time"), Path.of("time:[1]"));
        String namespace = ProcessTable.namespace(proc);
        ProcessTable table = new ProcessTable(this::read, "me", namespace);
        process(SELF, 1, 1);
        process(1, 0, 1);

        // then
        assertThat(table.liveness(new ProcessIdentity(55, 700, namespace, "me")))
                .isEqualTo(ProcessTable.Liveness.ENDED);
        assertThat(table.liveness(new ProcessIdentity(55, 700, "unknown pid:[2] time:[1]", "me")))
                .isEqualTo(ProcessTable.Liveness.UNKNOWN);
        assertThat(table.liveness(new ProcessIdentity(55, 700, "boot pid:[1] time:[1]", "me")))
                .isEqualTo(ProcessTable.Liveness.UNKNOWN);
    }

    @Test
    void reportsUnknownForProcessOfOtherTimeNamespace() {
        // given
        ProcessTable table = new ProcessTable(this::read, "me", "boot pid:[1] time:[1]");
        process(55, 1, 700);

        // then
        assertThat(table.liveness(new ProcessIdentity(55, 100_700, "boot pid:[1] time:[2]", "me")))
                .isEqualTo(ProcessTable.Liveness.UNKNOWN);
    }

    @Test
    void followsParentsToTheFirst() {
        // given
        process(55, 54, 700);
        process(54, 1, 600);
        process(1, 0, 1);

        // then
        assertThat(table.ancestry(55)).extracting(ProcessIdentity::pid).containsExactly(55L, 54L, 1L);
        assertThat(table.ancestry(55)).extracting(ProcessIdentity::startTicks).containsExactly(700L, 600L, 1L);
    }

    @Test
    void followsParentsOnlyWhileReadable() {
        // given
        process(55, 54, 700);
        files.put("54/stat", "54 (cut");

        // then
        assertThat(table.ancestry(55)).extracting(ProcessIdentity::pid).containsExactly(55L);
        assertThat(table.ancestry(54)).isEmpty();
    }

    @Test
    void doesNotFollowParentsForever() {
        // given: parents as they may appear while process IDs are reused
        process(55, 54, 700);
        process(54, 55, 701);

        // then
        assertThat(table.ancestry(55)).hasSize(64);
    }
}
