package dev.neurontest.process;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JvmTokenTest {

    private final JvmToken self = JvmToken.ofThisJvm().orElseThrow();

    @Test
    void isReadAsItIsWritten() {
        // given
        JvmToken other = new JvmToken(4194303, 123456789012L, self.pids() + 99, self.times() + 98, 65534);

        // then
        assertThat(JvmToken.of(other.toString())).contains(other);
        assertThat(JvmToken.of(self.toString())).contains(self);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "1.2.3.4", "1.2.3.4.5.6", "1.2.3.4.-5", "A.2.3.4.5", "zzzzzzzzzzzzzz.2.3.4.5", "1.2.3.4.5\n"
            })
    void isNoOtherText(String text) {
        assertThat(JvmToken.of(text)).isEmpty();
    }

    @Test
    void isThatOfTheInnermostTree() {
        // given
        JvmToken dead = ProcessFixture.dead();

        // then
        assertThat(JvmToken.above(ProcessFixture.endingWith(dead))).contains(dead);
        assertThat(JvmToken.above(Map.of())).isEmpty();
        assertThat(JvmToken.above(Map.of(ProcessTree.MARK, "outer"))).isEmpty();
        assertThat(JvmToken.above(Map.of(
                        ProcessTree.MARK,
                        ProcessTree.newMark(Optional.of(dead)) + ":" + ProcessTree.newMark(Optional.empty()))))
                .isEmpty();
    }

    @Test
    void jvmThatRunsIsNotDead() {
        assertThat(self.isDead()).isFalse();
    }

    @Test
    void jvmWhoseNumberAnotherProcessHasIsDead() {
        assertThat(ProcessFixture.dead().isDead()).isTrue();
    }

    @Test
    void jvmThatIsGoneIsDead() throws Exception {
        // given
        Process process = new ProcessBuilder("sleep", "600").start();
        JvmToken token = token(process.pid());
        assertThat(token.isDead()).isFalse();

        // when
        process.destroyForcibly().waitFor();

        // then
        assertThat(token.isDead()).isTrue();
    }

    @Test
    void jvmWhoseParentDoesNotAskForItIsDead() throws Exception {
        // given
        Process parent = new ProcessBuilder("/bin/sh", "-c", "sleep 600 & echo $!; exec sleep 600").start();
        try {
            long pid = Long.parseLong(parent.inputReader().readLine());
            JvmToken token = token(pid);
            // Until then it is the shell, which may ask for it.
            await().until(() -> Files.readString(Path.of("/proc", Long.toString(parent.pid()), "comm"))
                    .startsWith("sleep"));

            // when
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();

            // then
            await().until(token::isDead);
            assertThat(Path.of("/proc", Long.toString(pid))).exists();
        } finally {
            parent.destroyForcibly();
        }
    }

    @Test
    void jvmThatCannotBeSeenFromHereIsNotKnownToBeDead() {
        // given
        JvmToken dead = ProcessFixture.dead();

        // then in another container, with another clock, of another user
        assertThat(new JvmToken(dead.pid(), dead.started(), dead.pids() + 1, dead.times(), dead.user()).isDead())
                .isFalse();
        assertThat(new JvmToken(dead.pid(), dead.started(), dead.pids(), dead.times() + 1, dead.user()).isDead())
                .isFalse();
        assertThat(new JvmToken(dead.pid(), dead.started(), dead.pids(), dead.times(), dead.user() + 1).isDead())
                .isFalse();
    }

    private JvmToken token(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        long started = Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19]);
        return new JvmToken(pid, started, self.pids(), self.times(), self.user());
    }
}
