package dev.neurontest.lease.store;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.patience.Patience;
import dev.neurontest.process.ProcessIdentity;
import dev.neurontest.process.ProcessTable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class DirectoryStoreTest {

    private static final String DEAD = "jvm-999999999-0f0f0f0f-1";

    @TempDir
    Path parent;

    private final ProcessTable processes = new ProcessTable();
    private final List<DirectoryStore> open = new ArrayList<>();
    private Path directory;

    @BeforeEach
    void place() throws IOException {
        try (SharedFolder made = TableDirectory.prepare(parent.resolve("leases"))) {
            directory = made.shown();
        }
    }

    @AfterEach
    void close() {
        open.forEach(DirectoryStore::close);
    }

    private DirectoryStore store() {
        DirectoryStore store = new DirectoryStore(directory, processes, Patience.LIMIT, warning -> {});
        open.add(store);
        return store;
    }

    /** What a JVM leaves that is killed. */
    private Path leftovers(String name) throws IOException {
        Path member = Files.createDirectory(directory.resolve(name));
        for (String file : List.of("alive", "bell")) {
            Files.setAttribute(Files.createFile(member.resolve(file)), "unix:mode", 0666);
        }
        return member;
    }

    private ProcessIdentity ended() {
        ProcessIdentity self = processes.self();
        return new ProcessIdentity(self.pid(), self.startTicks() + 1, self.namespace(), self.user());
    }

    private TableState.Member join(DirectoryStore store, ProcessIdentity process, String name) {
        return store.change(
                state -> state.join(process, "another JVM", name, Instant.EPOCH), LockLimit.of(Patience.LIMIT));
    }

    @Test
    void removesWhatKilledJvmsLeft() throws Exception {
        // given
        Path before = leftovers(DEAD);

        // when
        DirectoryStore store = store();

        // then
        assertThat(before).doesNotExist();

        // given: one that the table does not know, and one whose cores must be taken from it first
        Path unknown = leftovers(DEAD);
        Path known = leftovers("jvm-999999999-0f0f0f0f-2");
        join(store, ended(), known.getFileName().toString());

        // when
        store();

        // then
        assertThat(unknown).doesNotExist();
        assertThat(known).isDirectory();
        assertThat(directory.resolve(store.self().directory())).isDirectory();
    }

    @Test
    void knowsWhoLivesByALockedFile() throws Exception {
        // given
        DirectoryStore store = store();
        leftovers(DEAD);

        // then
        assertThat(store.lives(store.self().directory())).isTrue();
        assertThat(store.lives(DEAD)).isFalse();
        assertThat(store.alive(store.self())).isTrue();
        assertThat(store.alive(join(store, processes.self(), DEAD))).isFalse();
    }

    @Test
    void takesNothingFromAJvmWhoseFileCannotBeSeen() throws Exception {
        // given
        DirectoryStore store = store();

        // then
        assertThat(store.lives(DEAD)).isFalse();
        assertThat(store.alive(join(store, processes.self(), DEAD))).isTrue();
        assertThat(store.alive(join(store, ended(), DEAD))).isFalse();
    }

    @Test
    @Timeout(60)
    void ringsItselfAndOthers() throws Exception {
        // given
        DirectoryStore store = store();
        DirectoryStore other = store();
        FutureTask<Boolean> waits = new FutureTask<>(() -> {
            other.awaitBell(Duration.ofHours(1));
            return true;
        });
        Thread thread = new Thread(waits);
        thread.setDaemon(true);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);

        // when
        long began = System.nanoTime();
        store.awaitBell(Duration.ofMillis(50));

        // then
        assertThat(System.nanoTime() - began)
                .isGreaterThanOrEqualTo(Duration.ofMillis(50).toNanos());
        assertThat(waits).isNotDone();

        // when
        store.ring(other.self());

        // then
        assertThat(waits.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();

        // when
        store.ring(store.self());

        // then
        store.awaitBell(Duration.ofHours(1));
    }

    @Test
    void waitsForTheLock() throws Exception {
        // given
        DirectoryStore store = store();
        List<String> order = new ArrayList<>();
        FutureTask<String> step = new FutureTask<>(() -> store.<String>alone(() -> {
            order.add("step");
            return "done";
        }));
        Thread thread = new Thread(step);
        try (FileChannel channel = FileChannel.open(directory.resolve("lock"), StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {

            // when
            thread.start();
            await().until(() -> step.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
            order.add(lock.isValid() ? "still locked" : "lock lost");
        }

        // then
        assertThat(step.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(order).containsExactly("still locked", "step");
    }
}
