package dev.neurontest.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ProcessTableIT {

    private static final long SELF = ProcessHandle.current().pid();
    private static final ProcessIdentity CHILD = new ProcessIdentity(55, 700, "here", "me");

    private final Map<String, String> files = new HashMap<>();
    private final ProcessTable table = new ProcessTable(this::read, "me", "here");

    private byte[] read(String path) throws IOException {
        if (!files.containsKey(path)) {
            throw new NoSuchFileException(path);
        }
        return files.get(path).getBytes(StandardCharsets.UTF_8);
    }

    private void process(long pid, String name, String state, long parent, long started) {
        files.put(
                pid + "/stat",
                pid + " (" + name + ") " + state + " " + parent + " 0".repeat(17) + " " + started + " 0 0\n");
    }

    @Nested
    class OfThisMachine {

        private final ProcessTable machine = new ProcessTable();

        @Test
        void knowsThisProcess() {
            // then
            assertThat(machine.self().pid()).isEqualTo(SELF);
            assertThat(machine.self().namespace()).matches("[0-9a-f-]{36} pid:\\[\\d+] (time:\\[\\d+]|unknown)");
            assertThat(machine.life(machine.self())).isEqualTo(ProcessTable.Life.ALIVE);
        }

        @Test
        void knowsThatAChildHasEnded() throws Exception {
            // given
            Process child = new ProcessBuilder("sleep", "1000").start();
            ProcessIdentity identity = machine.identity(child.pid());
            assertThat(machine.life(identity)).isEqualTo(ProcessTable.Life.ALIVE);
            assertThat(machine.ancestry(child.pid()))
                    .extracting(ProcessIdentity::pid)
                    .startsWith(child.pid(), SELF);

            // when
            child.destroyForcibly().waitFor();

            // then
            assertThat(machine.life(identity)).isEqualTo(ProcessTable.Life.ENDED);
        }
    }

    @Test
    void isNotFooledByALaterProcessWithTheSameNumber() {
        // given
        process(SELF, "java", "S", 1, 1);
        process(55, "sleep", "S", 1, 701);

        // then
        assertThat(table.life(CHILD)).isEqualTo(ProcessTable.Life.ENDED);
    }

    @Test
    void seesWhoIsStopped() {
        // given
        process(55, "java", "S", 1, 700);
        assertThat(table.isStopped(CHILD)).isFalse();

        for (String state : List.of("T", "t")) {
            // when
            process(55, "java", state, 1, 700);

            // then
            assertThat(table.isStopped(CHILD)).isTrue();
            assertThat(table.isStopped(new ProcessIdentity(55, 700, "here elsewhere", "me")))
                    .as("another process of the same number")
                    .isFalse();
            assertThat(table.life(CHILD)).isEqualTo(ProcessTable.Life.ALIVE);
        }
    }

    @Test
    void isNotFooledByNames() {
        // given
        process(SELF, "java", "S", 1, 1);
        process(55, "a) Z 9 (b", "S", 1, 700);

        // then
        assertThat(table.life(CHILD)).isEqualTo(ProcessTable.Life.ALIVE);
    }

    @Test
    void takesAZombieForEnded() {
        // given
        process(SELF, "java", "S", 1, 1);
        process(55, "sleep", "Z", 1, 700);

        // then
        assertThat(table.life(CHILD)).isEqualTo(ProcessTable.Life.ENDED);
    }

    @Test
    void doesNotJudgeOtherNamespaces() {
        // given
        process(SELF, "java", "S", 1, 1);

        // then
        assertThat(table.life(new ProcessIdentity(55, 700, "here elsewhere", "me")))
                .isEqualTo(ProcessTable.Life.UNKNOWN);
    }

    @Test
    void doesNotJudgeOtherUsersWhereTheyAreHidden() {
        // given
        process(SELF, "java", "S", 1, 1);
        ProcessIdentity other = new ProcessIdentity(55, 700, "here", "you");

        // then
        assertThat(table.life(other)).isEqualTo(ProcessTable.Life.UNKNOWN);
        assertThat(table.life(CHILD)).as("of the same user").isEqualTo(ProcessTable.Life.ENDED);

        // when
        process(1, "init", "S", 0, 0);

        // then
        assertThat(table.life(other)).isEqualTo(ProcessTable.Life.ENDED);
    }

    @Test
    void asksTheJvmWhereThereIsNoProc() {
        // then
        assertThat(table.life(table.self())).isEqualTo(ProcessTable.Life.ALIVE);
        assertThat(table.life(new ProcessIdentity(999_999_999, -1, "here", "me")))
                .isEqualTo(ProcessTable.Life.ENDED);
    }
}
