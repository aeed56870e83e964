package dev.neurontest.internal.baseline.history;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class FolderLockTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(20);

    @TempDir
    Path folder;

    private void assertLocked() {
        assertThatThrownBy(() -> FolderLock.of(folder, SHORT))
                .isInstanceOf(BaselineException.class)
                .hasMessageContaining("has been locked by another process for 0 s")
                .hasMessageContaining("End that process, or try again when it is done.");
    }

    @Test
    void hasOneHolderUntilClosed() throws IOException {
        // given
        FolderLock first = FolderLock.of(folder, LONG);
        assertLocked();

        // when
        first.close();

        // then
        assertThat(folder).isEmptyDirectory();
        FolderLock second = FolderLock.of(folder, SHORT);
        assertThat(folder.resolve(".lock")).exists();
        assertLocked();
        second.close();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @EnabledOnOs(OS.LINUX)
    void refusesPipeOrLinkAsLockFile() throws Exception {
        // given
        Path lock = folder.resolve(".lock");
        assertThat(new ProcessBuilder("mkfifo", lock.toString()).start().waitFor())
                .isZero();

        // then
        assertThatThrownBy(() -> FolderLock.of(folder, SHORT))
                .isInstanceOf(BaselineException.class)
                .hasMessage(lock + " is not a file. Remove it.");

        // given
        Files.delete(lock);
        Path precious = Files.writeString(folder.resolve("precious"), "precious");
        Files.createSymbolicLink(lock, precious);

        // then
        assertThatThrownBy(() -> FolderLock.of(folder, SHORT))
                .isInstanceOf(BaselineException.class)
                .hasMessage(lock + " is not a file. Remove it.");
        assertThat(precious).hasContent("precious");
    }

    /** Verifies that a waiter creates a new file, because the old one is deleted on release. */
    @Test
    void waiterHoldsLockAtPathAfterRelease() throws Exception {
        // given
        FolderLock first = FolderLock.of(folder, LONG);
        FutureTask<FolderLock> waits = new FutureTask<>(() -> FolderLock.of(folder, LONG));
        Thread thread = new Thread(waits);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);

        // when
        first.close();

        // then
        FolderLock next = waits.get(1, TimeUnit.MINUTES);
        assertThat(folder.resolve(".lock")).exists();
        assertLocked();
        next.close();
    }

    @Test
    void doesNotSwallowAnInterrupt() throws Exception {
        // given
        FutureTask<Boolean> interrupted = new FutureTask<>(() -> {
            FolderLock.of(folder, LONG).close();
            return Thread.interrupted();
        });

        // when
        FolderLock first = FolderLock.of(folder, LONG);
        Thread thread = new Thread(interrupted);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        thread.interrupt();
        await().until(() -> !thread.isInterrupted());
        first.close();

        // then
        assertThat(interrupted.get(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void leavesNoFileOpen() throws IOException {
        // given
        FolderLock lock = FolderLock.of(folder, LONG);
        assertLocked();
        assertThat(openFiles()).isEqualTo(2);

        // when
        lock.close();

        // then
        assertThat(openFiles()).isZero();
    }

    private long openFiles() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(this::leadsToTheFolder).count();
        }
    }

    private boolean leadsToTheFolder(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).startsWith(folder.toRealPath());
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }
}
