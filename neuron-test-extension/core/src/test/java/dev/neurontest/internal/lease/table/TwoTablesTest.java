package dev.neurontest.internal.lease.table;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.HealthCheck;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.store.LeaseOverview;
import dev.neurontest.patience.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of two tables in one directory, as for two class loaders of a JVM. Two JVMs differ only in how they end. */
class TwoTablesTest {

    private static final CoreRequest ALL = CoreRequest.inARow(4);

    @TempDir
    Path root;

    @TempDir
    Path parent;

    private LeaseTable first;
    private LeaseTable second;

    @BeforeEach
    void share() {
        new HostFixture(root).devices(HostFixture.Kind.TRN1, 0, 1);
        first = table().open();
        second = table().open();
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
    }

    private Path directory() {
        return parent.resolve("leases");
    }

    private LeaseTable.Builder table() {
        return LeaseTable.builder(new HostFixture(root).host()).directory(directory());
    }

    private static Lease now(LeaseTable table, String holder, CoreRequest request) throws InterruptedException {
        return table.lease(new LeaseRequest(holder, List.of(request)), Duration.ZERO);
    }

    /** Requests all cores on a separate thread, and returns once the request is in the queue. */
    private FutureTask<Lease> waits(LeaseTable table, String holder) {
        FutureTask<Lease> lease =
                new FutureTask<>(() -> table.lease(new LeaseRequest(holder, List.of(ALL)), Patience.LIMIT));
        Thread thread = new Thread(lease);
        thread.setDaemon(true);
        thread.start();
        await().until(() -> overview().waiting().stream()
                .anyMatch(waiting -> waiting.holder().equals(holder)));
        return lease;
    }

    private LeaseOverview overview() {
        return LeaseOverview.of(directory()).orElseThrow();
    }

    private static Lease got(FutureTask<Lease> lease) throws Exception {
        return lease.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void neverHaveTheSameCore() throws Exception {
        // given
        Lease mine = now(first, "mine", CoreRequest.inARow(2));

        // when
        Lease theirs = now(second, "theirs", CoreRequest.inARow(2));

        // then
        assertThat(mine.cores()).doesNotContainAnyElementsOf(theirs.cores());
        assertThatExceptionOfType(LeaseTimeoutException.class)
                .isThrownBy(() -> now(first, "third", CoreRequest.any()))
                .withMessageContaining("theirs");
        assertThat(first.held()).containsExactly(mine);
    }

    @Test
    void releaseCoresToEachOther() throws Exception {
        // given
        Lease mine = now(first, "mine", ALL);
        FutureTask<Lease> theirs = waits(second, "theirs");

        // when
        mine.close();

        // then
        assertThat(got(theirs).cores()).hasSize(4);
        assertThat(overview().held()).hasSize(1);
    }

    @Test
    void releaseCoresOnClose() throws Exception {
        // given
        now(first, "mine", ALL);
        FutureTask<Lease> theirs = waits(second, "theirs");

        // when
        first.close();

        // then
        assertThat(got(theirs).cores()).hasSize(4);
        assertThat(overview().jvms()).isOne();
        assertThat(overview().held()).extracting(LeaseOverview.Held::holder).containsExactly("theirs");
        first.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> now(first, "too late", CoreRequest.any()))
                .withMessage("the lease table is closed");
    }

    @Test
    void releaseCoresToEachOtherAfterInterruptedWatch() throws Exception {
        // given
        Lease all = now(second, "all", ALL);
        FutureTask<Lease> waiting = waits(first, "waiting");
        Thread watch = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("neuron-lease-watch"))
                .findFirst()
                .orElseThrow();

        // when
        watch.interrupt();

        // then it waits again
        await().until(() -> !watch.isInterrupted() && watch.getState() == Thread.State.RUNNABLE);
        all.close();
        assertThat(got(waiting).cores()).hasSize(4);
    }

    @Test
    void removeTheirRequestsOnClose() throws Exception {
        // given
        Lease mine = now(first, "mine", ALL);
        FutureTask<Lease> theirs = waits(second, "theirs");

        // when
        second.close();

        // then
        assertThat(overview().waiting()).isEmpty();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> got(theirs))
                .withMessageContaining("theirs waited for cores when its lease table was closed");
        mine.close();
        assertThat(now(first, "next", ALL).cores()).hasSize(4);
    }

    @Test
    void serveRequestsInOrderAcrossTables() throws Exception {
        // given
        Lease mine = now(first, "mine", ALL);
        FutureTask<Lease> early = waits(second, "early");
        FutureTask<Lease> late = waits(first, "late");

        // when
        mine.close();

        // then
        Lease served = got(early);
        assertThat(late.isDone()).isFalse();
        served.close();
        assertThat(got(late).cores()).hasSize(4);
    }

    @Test
    void seeTheQuarantinesOfEachOther() throws Exception {
        // given
        Lease mine = now(first, "mine", CoreRequest.exactly(0));

        // when
        mine.quarantine(mine.cores(), Until.RESET, "status 1202");
        mine.close();

        // then
        assertThat(second.quarantined())
                .extracting(Quarantine::reason)
                .containsExactly("status 1202; reset the device (neuron0, serial number not readable)");
        assertThat(now(second, "theirs", CoreRequest.inARow(2)).cores())
                .extracting(NeuronCore::index)
                .containsExactly(2, 3);
    }

    @Test
    void recheckQuarantinedCoreOnRequest() throws Exception {
        // given
        AtomicReference<Optional<String>> trouble = new AtomicReference<>(Optional.of("it is still warm"));
        HealthCheck check = (core, why) -> trouble.get();
        LeaseTable checking = table().healthCheck(check).open();
        Lease lease = now(checking, "test", CoreRequest.exactly(0));
        lease.quarantine(lease.cores(), Until.RESET, "status 1202");
        lease.close();
        assertThat(checking.quarantined()).hasSize(1);

        // when
        trouble.set(Optional.empty());
        checking.checkAgain();

        // then
        assertThat(checking.quarantined()).isEmpty();
        checking.close();
        checking.checkAgain();
    }

    @Test
    void refuseMoreCoresThanHostHas() {
        // then
        first.check(ALL);
        assertThatExceptionOfType(ImpossibleRequestException.class)
                .isThrownBy(() -> first.check(CoreRequest.inARow(5)))
                .withMessageContaining("a test requests 5 cores in a row, but there are not so many");
    }
}
