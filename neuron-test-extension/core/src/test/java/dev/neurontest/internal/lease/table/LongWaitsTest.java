package dev.neurontest.internal.lease.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.configuration.OtherOwnersPolicy;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.LeaseObserver;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.lease.store.TableFixture;
import dev.neurontest.internal.process.ProcessTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a test that waits for core 0 of a shared table, at times that the tests choose. */
class LongWaitsTest {

    private static final String CORE_0 = "neuron0/neuron_core0";
    private static final String CORE_1 = "neuron0/neuron_core1";

    @TempDir
    Path root;

    private final List<String> told = new ArrayList<>();
    private final LeaseNews news = new LeaseNews(new LeaseObserver() {
        @Override
        public void waiting(String notice) {
            told.add(notice);
        }
    });
    private final LeaseStore store = LeaseStore.inMemory(new ProcessTable());
    private final TableFixture other = new TableFixture(store, 4711);
    private final LongWaits waits = new LongWaits(LongWaits.AFTER, news);
    private LeaseState.Claim claim;
    private LeaseQueue queue;
    private Waiter waiter;

    @BeforeEach
    void waitForCore0() {
        NeuronHost host =
                new HostFixture(root).devices(HostFixture.Kind.TRN1, 0).host();
        ProcessTable processes = new ProcessTable();
        HostCores cores = new HostCores(host, host.cores());
        queue = new LeaseQueue(
                store,
                cores,
                new UnleasedProcesses(host, OtherOwnersPolicy.IGNORE, processes, List::of),
                OtherOwnersPolicy.IGNORE,
                new HealthChecks(null, cores, store),
                news,
                processes,
                LeaseTable.builder(host).open());
        claim = other.grant("FirstTest", CORE_0);
        waiter = new Waiter(
                CorePlacement.of(host, new LeaseRequest("MyTest", List.of(CoreRequest.exactly(0)))),
                new ReentrantLock().newCondition());
        queue.enter(waiter);
    }

    /** Reports the waits after the given number of seconds, and returns the notifications. */
    private List<String> lookAfter(double seconds) {
        waits.reportWaits(queue, waiter.requestedAt + (long) (seconds * 1e9));
        news.notifyObservers();
        List<String> now = List.copyOf(told);
        told.clear();
        return now;
    }

    /** Leases the core to another test when the one before returns it. */
    private void passOnTo(String holder) {
        other.release(claim);
        claim = other.grant(holder, CORE_0);
    }

    @Test
    void areReportedAfterTwoSeconds() {
        assertThat(lookAfter(1.9)).isEmpty();
        assertThat(lookAfter(2))
                .containsExactly(
                        "MyTest has waited 2 s for core 0; 1 of 2 cores are free."
                                + " Held: neuron0/neuron_core0 by FirstTest (pid 4711, thread main, since 1970-01-01T00:00:00Z).");
    }

    @Test
    void areNotReportedAgainWithoutChange() {
        // given
        assertThat(lookAfter(2)).hasSize(1);

        // when
        other.grant("UnrelatedTest", CORE_1);

        // then
        assertThat(lookAfter(4)).isEmpty();
        assertThat(lookAfter(400)).isEmpty();
    }

    @Test
    void areReportedAgainWhenHolderChanges() {
        // given
        assertThat(lookAfter(2)).hasSize(1);

        // when
        passOnTo("SecondTest");

        // then not at once
        assertThat(lookAfter(3.9)).isEmpty();
        assertThat(lookAfter(4)).singleElement().asString().contains("waited 4 s", "SecondTest");
    }

    @Test
    void lateChangeIsReportedWithinTwoSeconds() {
        // given
        assertThat(lookAfter(2)).hasSize(1);
        assertThat(lookAfter(300)).isEmpty();

        // when
        passOnTo("SecondTest");

        // then
        assertThat(lookAfter(301.9)).isEmpty();
        assertThat(lookAfter(302)).singleElement().asString().contains("SecondTest");
    }

    @Test
    void areReportedLessOftenWhenHolderKeepsChanging() {
        // given
        List<Integer> times = new ArrayList<>();

        // when
        for (int second = 1; second <= 150; second++) {
            passOnTo("Test" + second);
            if (!lookAfter(second).isEmpty()) {
                times.add(second);
            }
        }

        // then
        assertThat(times).containsExactly(2, 4, 8, 16, 32, 62, 92, 122);
    }

    @Test
    void endIsReportedOnlyForReportedWait() {
        // given
        waits.served(waiter);
        news.notifyObservers();
        assertThat(told).isEmpty();
        lookAfter(2);

        // when
        waits.served(waiter);
        news.notifyObservers();

        // then
        assertThat(told).containsExactly("MyTest got its cores after 0 s.");
    }
}
