package dev.neurontest.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waits for a lock, at a clock that pauses only. */
class LockWaitTest {

    @TempDir
    Path root;

    private final List<String> warnings = new ArrayList<>();
    private final List<Long> pauses = new ArrayList<>();
    private LockWait wait;
    private int failing;

    @BeforeEach
    void make() throws IOException {
        wait = new LockWait(
                Files.createFile(root.resolve("lock")),
                new ProcessTable(),
                new FileLocks(Path.of("/proc")),
                Duration.ofMillis(300),
                warnings::add);
    }

    @AfterEach
    void forgetInterrupt() {
        Thread.interrupted();
    }

    private @Nullable String attempt() {
        return failing-- > 0 ? null : "done";
    }

    private LockLimit limit(Duration atMost, boolean interruptible) {
        return new LockLimit(atMost, interruptible, nanos -> {
            pauses.add(nanos);
            // A busy machine: a pause takes longer than it should.
            long until = System.nanoTime() + Duration.ofMillis(20).toNanos();
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
        });
    }

    @Test
    void doesNotPauseWhereTheLockIsFree() throws IOException {
        // then
        assertThat(wait.until(this::attempt, limit(Duration.ZERO, false))).isEqualTo("done");
        assertThat(pauses).isEmpty();
        assertThat(warnings).isEmpty();
    }

    @Test
    void pausesLongerEachTime() throws IOException {
        // given
        failing = 4;

        // when
        wait.until(this::attempt, limit(Duration.ofHours(1), false));

        // then
        assertThat(pauses).containsExactly(20_000L, 40_000L, 80_000L, 160_000L);
        assertThat(warnings).isEmpty();
    }

    @Test
    void endsAtItsLimitAndNamesWhatItCanSee() {
        // given
        failing = Integer.MAX_VALUE;

        // then
        assertThatExceptionOfType(LockedTableException.class)
                .isThrownBy(() -> wait.until(this::attempt, limit(Duration.ofMillis(10), false)))
                .withMessage(
                        "a process that cannot be seen from here and may be stopped has it locked, and was waited for 1 s");
        assertThat(pauses).as("no limit is shorter than a second").hasSizeGreaterThan(10);
    }

    @Test
    void beginsAnewWithEachRequest() throws IOException {
        // given
        failing = Integer.MAX_VALUE;
        assertThatExceptionOfType(LockedTableException.class)
                .isThrownBy(() -> wait.until(this::attempt, limit(Duration.ofMillis(10), false)));

        // when
        failing = 5;

        // then
        assertThat(wait.until(this::attempt, limit(Duration.ofMillis(10), false)))
                .isEqualTo("done");
    }

    @Test
    void tellsOfALongWaitWhileItLasts() throws IOException {
        // given
        failing = 40;
        List<String> before = new ArrayList<>();

        // when
        wait.until(
                () -> {
                    if (failing == 1) {
                        before.addAll(warnings);
                    }
                    return attempt();
                },
                limit(Duration.ofHours(1), false));

        // then
        assertThat(before).isEqualTo(warnings);
        assertThat(warnings)
                .containsExactly(
                        "No test of this host gets cores or gives them back, because a process that cannot be seen from here"
                                + " and may be stopped has the lease table locked (" + root.resolve("lock")
                                + "). End that process, or let it go on.");
    }

    @Test
    void tellsOfItOnceForAllWhoWaitAtThatTime() throws IOException {
        // given
        failing = 40;

        // when
        wait.until(
                () -> {
                    if (failing == 40) {
                        assertThatExceptionOfType(LockedTableException.class)
                                .isThrownBy(() -> wait.until(() -> null, limit(Duration.ofMillis(10), false)));
                        assertThat(warnings).hasSize(1);
                    }
                    return attempt();
                },
                limit(Duration.ofHours(1), false));

        // then
        assertThat(warnings).hasSize(1);

        // when
        failing = 40;
        wait.until(this::attempt, limit(Duration.ofHours(1), false));

        // then another one is told of again
        assertThat(warnings).hasSize(2);
    }

    @Test
    void goesOnWhenItsThreadIsInterrupted() throws IOException {
        // given
        failing = 3;
        Thread.currentThread().interrupt();

        // then
        assertThat(wait.until(this::attempt, limit(Duration.ofHours(1), false))).isEqualTo("done");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void endsWithAnInterruptWhereItMay() {
        // given
        failing = 3;
        Thread.currentThread().interrupt();

        // then
        assertThatExceptionOfType(InterruptedIOException.class)
                .isThrownBy(() -> wait.until(this::attempt, limit(Duration.ofHours(1), true)));
        assertThat(pauses).isEmpty();
        assertThat(Thread.interrupted()).as("it is in the exception").isFalse();
    }
}
