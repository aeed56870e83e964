package dev.neurontest.lease.store;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.device.HostFixture;
import dev.neurontest.lease.CoreRequest;
import dev.neurontest.lease.Lease;
import dev.neurontest.lease.LeaseObserver;
import dev.neurontest.lease.LeaseRequest;
import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.lease.LeaseTimeoutException;
import dev.neurontest.lease.table.ForkedJvmFixture;
import dev.neurontest.lease.table.LeaseTable;
import dev.neurontest.patience.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that is stopped while it has the table locked, and what the tests of another JVM get meanwhile. */
class LockWaitIT {

    @TempDir
    Path root;

    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private ForkedJvmFixture other;
    private LeaseTable table;
    private Lease held;

    @BeforeEach
    void aStoppedJvmThatHasTheTableLocked() throws Exception {
        new HostFixture(root).devices(HostFixture.Kind.TRN1, 0);
        Path leases = root.resolve("leases");
        table = LeaseTable.builder(new HostFixture(root).host())
                .directory(leases)
                .lockTimeout(Patience.LIMIT)
                .observer(new LeaseObserver() {
                    @Override
                    public void warned(String notice) {
                        warnings.add(notice);
                    }
                })
                .open();
        held = lease("held", Patience.LIMIT);
        other = new ForkedJvmFixture(root, leases);
        assertThat(other.next()).isEqualTo("ready");
        other.tell("lock " + leases.resolve("lock"));
        assertThat(other.next()).isEqualTo("locked");
        other.stop();
    }

    @AfterEach
    void close() throws Exception {
        other.kill();
        table.close();
    }

    private Lease lease(String holder, Duration atMost) throws InterruptedException {
        return table.lease(new LeaseRequest(holder, List.of(CoreRequest.any())), atMost);
    }

    private static <T> FutureTask<T> onAnotherThread(FutureTask<T> task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static <T> T get(FutureTask<T> task) throws Exception {
        return task.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void isNamedByARequestWhoseTimeIsOver() {
        // then
        assertThatExceptionOfType(LeaseTimeoutException.class)
                .isThrownBy(() -> lease("hasty", Duration.ofSeconds(2)))
                .withMessageMatching(
                        "hasty got no cores within 2 s\\. The lease table in \\S+/leases cannot be used: process "
                                + other.pid()
                                + " of \\w+, which is stopped, has it locked, and was waited for \\d+ s\\."
                                + " End that process, or let it go on\\.");
    }

    @Test
    void keepsNoRequestLongerThanItsOwnTime() throws Exception {
        // given a request that has much time
        FutureTask<Lease> patient = onAnotherThread(new FutureTask<>(() -> lease("patient", Patience.LIMIT)));

        // then those of other threads fail meanwhile, each after its own time
        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(LeaseTimeoutException.class)
                    .isThrownBy(() -> lease("hasty", Duration.ZERO))
                    .withMessageContaining("process " + other.pid());
        }
        assertThat(patient.isDone()).isFalse();

        // when
        other.kill();

        // then
        assertThat(get(patient).cores()).hasSize(1);
        assertThat(warnings).noneMatch(notice -> notice.contains("could not be written"));
    }

    @Test
    void isToldOfWhileTestsWait() throws Exception {
        // given
        FutureTask<Lease> patient = onAnotherThread(new FutureTask<>(() -> lease("patient", Patience.LIMIT)));

        // then
        await().until(() -> !warnings.isEmpty());
        assertThat(warnings)
                .singleElement()
                .asString()
                .startsWith(
                        "No test of this host gets cores or gives them back, because process " + other.pid() + " of ")
                .contains(", which is stopped, has the lease table locked (");
        assertThat(patient.isDone()).isFalse();
    }

    @Test
    void isWaitedForByATestThatGivesItsCoresBack() throws Exception {
        // given
        FutureTask<Boolean> giving = onAnotherThread(new FutureTask<>(held::close, true));
        assertThatExceptionOfType(LeaseTimeoutException.class).isThrownBy(() -> lease("hasty", Duration.ZERO));
        assertThat(giving.isDone()).isFalse();

        // when
        other.kill();

        // then
        assertThat(get(giving)).isTrue();
        assertThat(table.lease(new LeaseRequest("all", List.of(CoreRequest.inARow(2))), Patience.LIMIT)
                        .cores())
                .hasSize(2);
        assertThat(warnings).noneMatch(notice -> notice.contains("could not be written"));
    }

    @Test
    void isLeftByARequestThatIsInterrupted() throws Exception {
        // given
        FutureTask<Lease> asking = new FutureTask<>(() -> lease("interrupted", Patience.LIMIT));
        Thread thread = new Thread(asking);
        thread.setDaemon(true);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);

        // when
        thread.interrupt();

        // then
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> get(asking))
                .withCauseInstanceOf(InterruptedException.class);

        // when
        other.kill();

        // then it took nothing
        held.close();
        assertThat(table.lease(new LeaseRequest("others", List.of(CoreRequest.inARow(2))), Patience.LIMIT)
                        .cores())
                .hasSize(2);
    }

    @Test
    void isNamedToAJvmThatWantsToJoin() {
        // then
        assertThatExceptionOfType(LeaseTableException.class)
                .isThrownBy(() -> LeaseTable.builder(new HostFixture(root).host())
                        .directory(root.resolve("leases"))
                        .lockTimeout(Duration.ofSeconds(2))
                        .open())
                .withMessageContaining("process " + other.pid())
                .withMessageContaining("which is stopped, has it locked");
    }
}
