package dev.neurontest.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lock that another class loader of this JVM has. */
class LockWaitTest {

    @TempDir
    Path root;

    private final List<String> warnings = new ArrayList<>();
    private Path file;
    private LockWait wait;

    @BeforeEach
    void make() throws IOException {
        file = Files.createFile(root.resolve("lock"));
        wait = new LockWait(
                file,
                new ProcessTable(),
                new FileLocks(Path.of("/proc")),
                Duration.ofMillis(50),
                Duration.ofMillis(1),
                warnings::add);
    }

    private SharedFile open() throws IOException {
        return SharedFile.open(file);
    }

    @Test
    void isNoWaitWhereTheLockIsFree() throws IOException {
        // when
        try (SharedFile lock = open()) {
            wait.acquire(lock);

            // then
            assertThat(wait.isLong()).isFalse();
            assertThat(warnings).isEmpty();
            try (SharedFile other = open()) {
                assertThat(other.tryLock(false)).isFalse();
            }
        }
    }

    @Test
    void namesAProcessThatIsNotKnownToBeStopped() throws IOException {
        try (SharedFile held = open();
                SharedFile lock = open()) {
            // given
            assertThat(held.tryLock(false)).isTrue();

            // then
            assertThatIOException()
                    .isThrownBy(() -> wait.acquire(lock))
                    .withMessage(
                            "%s was waited for 0 s, and process %s, which may be stopped, has it locked; end that process, or let it go on",
                            file, ProcessHandle.current().pid());
            assertThat(wait.isLong()).isTrue();
        }
    }

    @Test
    void keepsTheInterruptOfItsThread() throws IOException {
        try (SharedFile held = open();
                SharedFile lock = open()) {
            // given
            held.tryLock(false);
            Thread.currentThread().interrupt();

            // then
            assertThatIOException().isThrownBy(() -> wait.acquire(lock));
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
