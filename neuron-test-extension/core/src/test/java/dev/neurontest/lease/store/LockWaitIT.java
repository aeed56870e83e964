package dev.neurontest.lease.store;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.neurontest.device.HostFixture;
import dev.neurontest.lease.table.ForkedJvmFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that is stopped while it has the lock. */
class LockWaitIT {

    @TempDir
    Path root;

    private final List<String> warnings = new ArrayList<>();
    private Path file;
    private ForkedJvmFixture other;

    @BeforeEach
    void aStoppedOwner() throws Exception {
        file = Files.createFile(root.resolve("lock"));
        new HostFixture(root).devices(HostFixture.Kind.TRN1, 0);
        other = new ForkedJvmFixture(root, root.resolve("leases"));
        other.tell("lock " + file);
        assertThat(other.next()).isEqualTo("ready");
        assertThat(other.next()).isEqualTo("locked");
        other.stop();
    }

    @AfterEach
    void close() {
        other.close();
    }

    private LockWait atMost(Duration longest) {
        return new LockWait(
                file,
                new ProcessTable(),
                new FileLocks(Path.of("/proc")),
                longest,
                Duration.ofMillis(1),
                warnings::add);
    }

    private void acquire(LockWait wait) throws IOException {
        try (SharedFile lock = SharedFile.open(file)) {
            wait.acquire(lock);
        }
    }

    @Test
    void isNamedToThoseWhoWaitInVain() {
        // then
        assertThatIOException()
                .isThrownBy(() -> acquire(atMost(Duration.ofMillis(50))))
                .withMessage(
                        "%s was waited for 0 s, and process %s, which is stopped, has it locked; end that process, or let it go on",
                        file, other.pid());
        assertThat(warnings).isEmpty();
    }

    @Test
    void isNamedToThoseWhoWaitedUntilItWentOn() throws Exception {
        // given
        LockWait wait = atMost(Duration.ofHours(1));
        Thread waiter = new Thread(new FutureTask<>(() -> {
            acquire(wait);
            return wait;
        }));
        waiter.start();
        await().until(wait::isLong);

        // when
        other.kill();
        waiter.join();

        // then
        assertThat(warnings)
                .singleElement()
                .asString()
                .matches(Pattern.quote(file + " was waited for ") + "\\d+"
                        + Pattern.quote(" s, because process " + other.pid() + ", which is stopped, had it locked."
                                + " Meanwhile no test of this host got cores or gave them back."));
    }

    @Test
    void isWaitedForByAllThreadsTogether() throws Exception {
        // given
        LockWait wait = atMost(Duration.ofSeconds(2));
        assertThatIOException().isThrownBy(() -> acquire(wait));

        // when
        long began = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            assertThatIOException().isThrownBy(() -> acquire(wait));
        }

        // then the next ones do not wait as long once more
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));

        // when
        other.kill();

        // then
        acquire(wait);
        assertThat(warnings).hasSize(1);
    }
}
