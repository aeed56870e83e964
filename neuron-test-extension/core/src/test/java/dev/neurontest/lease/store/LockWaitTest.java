package dev.neurontest.lease.store;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.patience.Patience;
import dev.neurontest.process.ProcessTable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waits for a lock, at a clock that pauses only. */
class LockWaitTest {

    @TempDir
    Path root;

    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private LockWait wait;
    private long lockedUntil = System.nanoTime();
    private int pauses;

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
        return System.nanoTime() < lockedUntil ? null : "done";
    }

    private void lockFor(Duration time) {
        lockedUntil = System.nanoTime() + time.toNanos();
    }

    private LockLimit limit(Duration atMost, boolean interruptible) {
        return new LockLimit(atMost, interruptible, pause -> {
            pauses++;
            pause.run();
            // A busy machine: a pause takes longer than it should.
            long until = System.nanoTime() + Duration.ofMillis(20).toNanos();
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
        });
    }

    @Test
    void namesAHiddenOwnerWithoutAGuess() throws IOException {
        // given a proc that hides the processes of other users
        Path proc = Files.createDirectory(root.resolve("proc"));
        Path lock = root.resolve("lock");
        Files.writeString(
                proc.resolve("locks"),
                "1: POSIX  ADVISORY  WRITE 999999999 08:01:%s 0 EOF\n".formatted(Files.getAttribute(lock, "unix:ino")));
        wait = new LockWait(lock, new ProcessTable(), new FileLocks(proc), Duration.ofMillis(300), warnings::add);
        lockFor(Duration.ofHours(1));

        // then
        assertThatExceptionOfType(LockedTableException.class)
                .isThrownBy(() -> wait.until(this::attempt, limit(Duration.ZERO, false)))
                .withMessageStartingWith(
                        "process 999999999, which cannot be seen from here and may be stopped, has it locked");
    }

    @Test
    void doesNotPauseWhereTheLockIsFree() throws IOException {
        // then
        assertThat(wait.until(this::attempt, limit(Duration.ZERO, false))).isEqualTo("done");
        assertThat(pauses).isZero();
        assertThat(warnings).isEmpty();
    }

    @Test
    void letsNoOtherThreadInWhileItIsShort() throws IOException {
        // when the machine lets it be short
        long waited;
        do {
            pauses = 0;
            long began = System.nanoTime();
            lockFor(Duration.ofMillis(2));
            wait.until(this::attempt, limit(Duration.ofHours(1), false));
            waited = System.nanoTime() - began;
        } while (waited > Duration.ofMillis(50).toNanos());

        // then
        assertThat(pauses).isZero();
        assertThat(warnings).isEmpty();
    }

    @Test
    void letsOtherThreadsInWhenItIsLong() throws IOException {
        // given
        lockFor(Duration.ofMillis(200));

        // when
        wait.until(this::attempt, limit(Duration.ofHours(1), false));

        // then
        assertThat(pauses).isGreaterThan(1);
    }

    @Test
    void attemptsItByOneThreadOnlyWhenItIsLong() throws Exception {
        // given a thread that attempts it again and again
        AtomicBoolean locked = new AtomicBoolean(true);
        AtomicInteger attempts = new AtomicInteger();
        FutureTask<String> first = new FutureTask<>(() -> wait.until(
                () -> {
                    attempts.incrementAndGet();
                    return locked.get() ? null : "first";
                },
                LockLimit.of(Patience.LIMIT)));
        startDaemon(first);
        await().until(() -> attempts.get() > 2);

        // when
        AtomicInteger others = new AtomicInteger();
        FutureTask<String> second = new FutureTask<>(() -> wait.until(
                () -> {
                    others.incrementAndGet();
                    return locked.get() ? null : "second";
                },
                LockLimit.of(Patience.LIMIT)));
        startDaemon(second);
        int[] seen = new int[2];
        await().until(() -> {
            boolean onlyFirst = seen[1] == others.get() && attempts.get() > seen[0] + 10;
            seen[0] = attempts.get();
            seen[1] = others.get();
            return onlyFirst && seen[1] > 0;
        });

        // then
        int before = attempts.get();
        int ofOthers = others.get();
        await().until(() -> attempts.get() > before + 10);
        assertThat(others).hasValue(ofOthers);

        // when
        locked.set(false);

        // then
        assertThat(first.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("first");
        assertThat(second.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("second");
    }

    private static void startDaemon(Runnable what) {
        Thread thread = new Thread(what);
        thread.setDaemon(true);
        thread.start();
    }

    @Test
    void endsAtItsLimitAndNamesWhatItCanSee() {
        // given
        lockFor(Duration.ofHours(1));

        // then
        assertThatExceptionOfType(LockedTableException.class)
                .isThrownBy(() -> wait.until(this::attempt, limit(Duration.ofMillis(10), false)))
                .withMessage(
                        "a process that cannot be seen from here and may be stopped has it locked, and was waited for 1 s");
        assertThat(pauses).as("no limit is shorter than a second").isGreaterThan(10);
    }

    @Test
    void beginsAnewWithEachRequest() throws IOException {
        // given
        lockFor(Duration.ofHours(1));
        assertThatExceptionOfType(LockedTableException.class)
                .isThrownBy(() -> wait.until(this::attempt, limit(Duration.ofMillis(10), false)));

        // when
        lockFor(Duration.ofMillis(60));

        // then
        assertThat(wait.until(this::attempt, limit(Duration.ofMillis(10), false)))
                .isEqualTo("done");
    }

    @Test
    void tellsOfALongWaitWhileItLasts() throws IOException {
        // given
        List<String> before = new ArrayList<>();

        // when
        wait.until(
                () -> {
                    before.addAll(warnings);
                    return warnings.isEmpty() ? null : "done";
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
    void tellsOfItOnceForAllWhoWaitAtThatTime() throws Exception {
        // given
        AtomicBoolean locked = new AtomicBoolean(true);
        List<FutureTask<String>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            FutureTask<String> task = new FutureTask<>(
                    () -> wait.until(() -> locked.get() ? null : "done", LockLimit.of(Patience.LIMIT)));
            tasks.add(task);
            startDaemon(task);
        }
        assertThatExceptionOfType(LockedTableException.class)
                .isThrownBy(() -> wait.until(() -> null, LockLimit.of(Duration.ofSeconds(1))));
        assertThat(warnings).hasSize(1);

        // when
        locked.set(false);
        for (FutureTask<String> task : tasks) {
            task.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        lockFor(Duration.ofMillis(600));
        wait.until(this::attempt, limit(Duration.ofHours(1), false));

        // then another stop is told of again
        assertThat(warnings).hasSize(2);
    }

    @Test
    void goesOnWhenItsThreadIsInterrupted() throws IOException {
        // given
        lockFor(Duration.ofMillis(100));
        Thread.currentThread().interrupt();

        // then
        assertThat(wait.until(this::attempt, limit(Duration.ofHours(1), false))).isEqualTo("done");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void endsWithAnInterruptWhereItMay() {
        // given
        lockFor(Duration.ofMillis(100));
        Thread.currentThread().interrupt();

        // then
        assertThatExceptionOfType(InterruptedIOException.class)
                .isThrownBy(() -> wait.until(this::attempt, limit(Duration.ofHours(1), true)));
        assertThat(pauses).isZero();
        assertThat(Thread.interrupted()).as("it is in the exception").isFalse();
    }
}
