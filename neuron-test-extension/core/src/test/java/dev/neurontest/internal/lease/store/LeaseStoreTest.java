package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaseStoreTest {

    private static final String CORE = "neuron0/neuron_core0";

    private final ProcessTable processes = new ProcessTable();

    @TempDir
    Path parent;

    @AutoClose
    private final LeaseStore memory = LeaseStore.inMemory(processes);

    @AutoClose
    private LeaseStore shared;

    private Path directory;

    @BeforeEach
    void join() {
        directory = parent.resolve("leases");
        shared = LeaseStore.in(directory, null, processes, warning -> {});
    }

    private static Duration wait(LeaseStore store, Duration atMost) throws InterruptedException {
        long began = System.nanoTime();
        store.await(atMost);
        return Duration.ofNanos(System.nanoTime() - began);
    }

    @Test
    void isWokenByOwnRing() throws InterruptedException {
        for (LeaseStore store : List.of(memory, shared)) {
            // when
            store.ring(store.self());

            // then
            assertThat(wait(store, Patience.LIMIT)).isLessThan(Patience.LIMIT);
        }
    }

    @Test
    void isWokenByAnotherJvm() throws InterruptedException {
        // given
        try (LeaseStore another = LeaseStore.in(directory, null, processes, warning -> {})) {
            // when
            another.ring(shared.self());

            // then
            assertThat(wait(shared, Patience.LIMIT)).isLessThan(Patience.LIMIT);
        }
    }

    @Test
    void waitsFullTimeWithoutRing() throws InterruptedException {
        // given
        Duration pause = Duration.ofMillis(50);
        memory.ring("");
        memory.ring("");
        memory.await(pause);

        // then
        assertThat(wait(memory, pause)).isGreaterThanOrEqualTo(pause);
        assertThat(wait(shared, pause)).isGreaterThanOrEqualTo(pause);
    }

    @Test
    void hasProgramLocksOnlyWhenShared() {
        // given
        assumeThat(ProgramLock.isAvailable()).isTrue();
        String lock = Membership.lock(shared.self(), 7);

        // then
        assertThat(shared.lock(7)).isPresent();
        assertThat(shared.programs().remaining(List.of(), lock).lock()).isEqualTo(ProgramLock.State.FREE);
        assertThat(memory.lock(7)).isEmpty();
        assertThat(memory.programs().remaining(List.of(), lock).lock()).isEqualTo(ProgramLock.State.UNKNOWN);
    }

    @Test
    void closeKeepsLocksOfQuarantines() {
        // given
        assumeThat(ProgramLock.isAvailable()).isTrue();
        ProcessIdentity self = processes.self();
        TableFixture table = new TableFixture(shared);
        LeaseState.Claim claim = table.grant("BertTest > infers()", CORE);
        assertThat(shared.lock(claim.number())).isPresent();
        assertThat(shared.lock(claim.number() + 1)).isPresent();

        // when
        claim.outlivedBy(new LeasePrograms.Remaining(List.of(self), ProgramLock.State.HELD), "its program was alive")
                .forEach(table::bar);
        shared.close();

        // then
        assertThat(directory.resolve(claim.lock())).exists();
        assertThat(directory.resolve(shared.self())).isDirectoryNotContaining("glob:**" + (claim.number() + 1));
    }

    @Test
    void removesOldIncompleteDirectories() throws IOException {
        // given
        Path old = Files.createDirectory(directory.resolve("new-jvm-4000000-1-1"));
        Files.setLastModifiedTime(old, FileTime.fromMillis(0));

        // when
        shared.prepare(List.of(CORE));

        // then
        assertThat(old).doesNotExist();
    }

    @Test
    void closesAllFilesOnClose() throws IOException {
        // when
        shared.close();

        // then
        assertThat(OpenFilesFixture.in(directory)).isEmpty();
        assertThat(shared.isCut()).as("its memory cannot be used").isTrue();
        assertThatExceptionOfType(LeaseTableException.class)
                .isThrownBy(shared::requireWhole)
                .withMessageStartingWith("The lease table in %s cannot be used: ".formatted(directory));
    }

    @Test
    void closesAllFilesWhenTableIsDamaged() throws IOException {
        // given
        shared.close();
        for (int size : new int[] {1, 100_000}) {
            Files.write(directory.resolve("leases-1"), new byte[size]);

            // then
            assertThatExceptionOfType(LeaseTableException.class)
                    .isThrownBy(() -> LeaseStore.in(directory, null, processes, warning -> {}));
            assertThat(OpenFilesFixture.in(directory)).isEmpty();
            assertThat(directory).isDirectoryNotContaining("glob:**/jvm-*");
        }
    }
}
