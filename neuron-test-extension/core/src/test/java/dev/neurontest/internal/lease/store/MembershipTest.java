package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MembershipTest {

    @TempDir
    Path directory;

    private final ProcessTable processes = new ProcessTable();
    private SharedFolder table;
    private Membership member;

    @BeforeEach
    void join() throws IOException {
        table = SharedFolder.at(directory);
        member = Membership.in(table, processes.self());
    }

    @AfterEach
    void leave() throws IOException {
        member.close();
        table.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm-1-0-1", "jvm-4194303-17179869183-127", "jvm-77--1-2"})
    void nameConvertsToNumberAndBack(String name) {
        // then
        assertThat(Membership.number(name)).isNotZero();
        assertThat(Membership.name(Membership.number(name))).isEqualTo(name);
    }

    @Test
    void nameIdentifiesProcessAfterOneYearOfUptime() {
        // given
        ProcessIdentity self = processes.self();
        ProcessIdentity late = new ProcessIdentity(77, 3_153_600_000L, self.namespace(), self.user());

        // when
        String name = Membership.name(Membership.number("jvm-77-3153600000-1"));

        // then
        assertThat(Membership.process(name, self)).isEqualTo(late);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "jvm-1", "new-jvm-1-0-1", "../jvm-1-0-1", "jvm-1-0-1/.."})
    void malformedNameHasNoNumber(String name) {
        // then
        assertThat(Membership.number(name)).isZero();
    }

    @Test
    void eachMembershipOfJvmHasUniqueName() throws IOException {
        // given
        ProcessIdentity self = processes.self();

        // when
        Membership other = Membership.in(table, self);

        // then
        String beginning = "jvm-%s-%s-".formatted(self.pid(), self.startTicks());
        assertThat(member.name()).startsWith(beginning);
        assertThat(other.name()).startsWith(beginning).isNotEqualTo(member.name());
        other.close();
        Set<String> names = new HashSet<>(Set.of(member.name(), other.name()));
        for (int i = 0; i < 100; i++) {
            Membership another = Membership.in(table, self);
            assertThat(names.add(another.name())).as("a name of its own").isTrue();
            another.close();
        }
    }

    @Test
    void countsAsAliveUntilClosed() throws IOException {
        // given
        assertThat(Membership.isAlive(table, member.name(), processes)).isTrue();

        // when
        member.close();

        // then
        assertThat(Membership.isAlive(table, member.name(), processes)).isFalse();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void countsAsAliveByProcessWithoutSocket() throws IOException {
        // when
        Files.delete(directory.resolve(member.name()).resolve("bell"));

        // then
        assertThat(Membership.ring(table, member.name())).isFalse();
        assertThat(Membership.isAlive(table, member.name(), processes)).isTrue();
    }

    @Test
    void countsAsAliveBySocketInOtherNamespace() throws IOException {
        // given a JVM of another namespace
        ProcessIdentity self = processes.self();
        Membership foreign =
                Membership.in(table, new ProcessIdentity(1, self.startTicks() + 1, self.namespace(), self.user()));

        // then
        assertThat(Membership.isAlive(table, foreign.name(), processes)).isTrue();

        // when
        Path kept = Files.move(directory.resolve(foreign.name()), directory.resolve("kept"));
        foreign.close(Set.of());
        Files.move(kept, directory.resolve(foreign.name()));

        // then its socket does not answer
        assertThat(directory.resolve(foreign.name())).isDirectory();
        assertThat(Membership.isAlive(table, foreign.name(), processes)).isFalse();
    }

    @Test
    void isWokenByEachConnection() {
        for (int i = 0; i < 3; i++) {
            // when
            assertThat(Membership.ring(table, member.name())).isTrue();

            // then
            assertThat(waited(Patience.LIMIT)).isLessThan(Patience.LIMIT);
        }
    }

    @Test
    void toleratesMoreConnectionsThanItAccepts() {
        for (int i = 0; i < 1500; i++) {
            assertThat(Membership.ring(table, member.name())).isTrue();
        }
    }

    @Test
    void removesOldIncompleteDirectories() throws IOException {
        // given
        Path old = Files.createDirectory(directory.resolve("new-jvm-4000000-1-1"));
        Files.setLastModifiedTime(old, FileTime.fromMillis(0));
        Path fresh = Files.createDirectory(directory.resolve("new-jvm-4000000-1-2"));

        // when
        member.removeIncomplete();

        // then
        assertThat(old).doesNotExist();
        assertThat(fresh).exists();
    }

    @Test
    void cleanupToleratesDirectoriesCompletedByOthers() throws Exception {
        // given
        for (int i = 0; i < 100; i++) {
            Files.createSymbolicLink(directory.resolve("new-planted-" + i), directory.resolve("nothing"));
        }
        AtomicBoolean examined = new AtomicBoolean();
        CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
            while (!examined.get()) {
                try {
                    table.make("new-jvm-4000000-1-1", 0755).orElseThrow().close();
                    table.rename("new-jvm-4000000-1-1", "jvm-4000000-1-1");
                    table.delete("jvm-4000000-1-1");
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            }
        });

        // when
        for (int i = 0; i < 500; i++) {
            member.removeIncomplete();
        }

        // then
        examined.set(true);
        others.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void ignoresDirectoriesWithOtherNames() throws IOException {
        // given
        Files.createDirectory(directory.resolve("jvm-x"));

        // then
        assertThat(Membership.names(table)).containsExactly(member.name());
        assertThat(Membership.ring(table, "jvm-x")).isFalse();
        assertThat(Membership.isAlive(table, "jvm-x", processes)).isFalse();
    }

    @Test
    void countsAsAliveWhenTableCannotBeRead() throws IOException {
        // when
        table.close();

        // then
        assertThat(Membership.ring(table, member.name())).isTrue();
        assertThat(Membership.isAlive(table, member.name(), processes)).isTrue();
    }

    @Test
    void lockIsHeldWhileProgramRuns() throws Exception {
        // given
        assumeThat(ProgramLock.isAvailable()).isTrue();
        String lock = Membership.lock(member.name(), 7);
        assertThat(member.lock(7)).isPresent();
        assertThat(Membership.test(table, lock)).isEqualTo(ProgramLock.State.FREE);

        // when
        Process program =
                new ProcessBuilder("flock", "--no-fork", directory.resolve(lock).toString(), "sleep", "600").start();

        // then
        try {
            Patience.await().until(() -> Membership.test(table, lock) == ProgramLock.State.HELD);
        } finally {
            program.destroyForcibly().waitFor();
        }
        assertThat(Membership.test(table, lock)).isEqualTo(ProgramLock.State.FREE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "jvm-1-0-1/lease-7", "jvm-1-0-1/bell", "../jvm-1-0-1/lease-7"})
    void lockWithOtherNameHasUnknownState(String lock) {
        // then
        assertThat(Membership.test(table, lock)).isEqualTo(ProgramLock.State.UNKNOWN);
    }

    @Test
    void closeKeepsOnlyNeededLocks() {
        // given
        assumeThat(ProgramLock.isAvailable()).isTrue();
        assertThat(member.lock(7)).isPresent();
        assertThat(member.lock(8)).isPresent();

        // when
        member.close(Set.of(Membership.lock(member.name(), 7)));

        // then
        assertThat(directory.resolve(member.name()))
                .isDirectoryContaining("glob:**/lease-7")
                .isDirectoryNotContaining("glob:**/lease-8")
                .isDirectoryNotContaining("glob:**/bell");
    }

    @Test
    void wakeBeforeWaitEndsWait() {
        // when
        member.wake();

        // then
        assertThat(waited(Patience.LIMIT)).isLessThan(Patience.LIMIT);
    }

    @Test
    void waitsUntilTheTimeIsOver() {
        // given
        Duration pause = Duration.ofMillis(50);

        // then
        assertThat(waited(pause)).isGreaterThanOrEqualTo(pause);
        assertThat(waited(pause)).as("again").isGreaterThanOrEqualTo(pause);
    }

    @Test
    void doesNotWaitAfterClose() throws IOException {
        // given
        member.await(Duration.ofMillis(1));

        // when
        member.close();

        // then
        assertThat(waited(Patience.LIMIT)).isLessThan(Patience.LIMIT);
        table.close();
        assertThat(OpenFilesFixture.in(directory)).isEmpty();
    }

    @Test
    void keepsNoConnectionOpen() throws IOException {
        // given
        int before = OpenFilesFixture.all().size();

        // when
        for (int i = 0; i < 100; i++) {
            Membership.ring(table, member.name());
            member.await(Patience.LIMIT);
        }

        // then
        assertThat(OpenFilesFixture.all()).hasSizeLessThan(before + 50);
    }

    private Duration waited(Duration atMost) {
        long began = System.nanoTime();
        member.await(atMost);
        return Duration.ofNanos(System.nanoTime() - began);
    }
}
