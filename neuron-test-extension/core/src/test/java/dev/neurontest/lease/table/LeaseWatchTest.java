package dev.neurontest.lease.table;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.configuration.OtherOwnersPolicy;
import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.lease.CoreRequest;
import dev.neurontest.lease.LeaseObserver;
import dev.neurontest.lease.LeaseRequest;
import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.lease.store.TableState;
import dev.neurontest.patience.Patience;
import dev.neurontest.process.ProcessTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The thread that looks after those who wait. The tests say when each of its pauses is over. */
class LeaseWatchTest {

    private static final String CORE_0 = "neuron0/neuron_core0";
    private static final Duration IDLE = Duration.ofSeconds(1);

    @TempDir
    Path root;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final LeaseNews news = new LeaseNews(new LeaseObserver() {
        @Override
        public void waiting(String notice) {
            told.add(notice);
        }
    });
    private final ProcessTable processes = new ProcessTable();
    private final SharedStoreFixture store = new SharedStoreFixture();
    private final TableState.Member other = store.join(999_999_998);
    private NeuronHost host;
    private LeaseTable table;
    private Outsiders outsiders;
    private LeaseQueue queue;
    private TableChanges changes;
    private LeaseWatch watch;

    @BeforeEach
    void watchOfAnEmptyQueue() {
        host = new HostFixture(root).devices(HostFixture.Kind.TRN1, 0, 1).host();
        table = LeaseTable.builder(host).open();
        HostCores cores = new HostCores(host, host.cores());
        long self = store.self().number();
        outsiders = new Outsiders(host, OtherOwnersPolicy.AVOID, processes);
        queue = new LeaseQueue(
                store, cores, outsiders, OtherOwnersPolicy.AVOID, new HealthChecks(null, cores, self), news, processes);
        changes = new TableChanges(
                store,
                Patience.LIMIT,
                news,
                change -> queue.serve(
                        change, (claim, waited, granted) -> new GrantedLease(table, claim, waited, granted)));
        watch = new LeaseWatch(
                store,
                changes,
                queue,
                outsiders,
                new EndedProcesses(store, processes::life, cores, news, Duration.ZERO),
                new PassingOver(self, news),
                new LongWaits(Duration.ZERO, news));
    }

    @AfterEach
    void close() throws Exception {
        end();
        table.close();
    }

    private void end() throws InterruptedException {
        Thread watching = store.waiting;
        changes.locked(() -> {
            changes.close();
            return true;
        });
        store.goOn();
        if (watching != null) {
            watching.join(Patience.LIMIT.toMillis());
            assertThat(watching.isAlive()).isFalse();
        }
    }

    private void begin() {
        changes.locked(() -> {
            watch.begin();
            return true;
        });
    }

    private Duration nextPause() throws InterruptedException {
        return store.pauses.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private Duration pauseAfterOneLook() throws InterruptedException {
        store.goOn();
        return nextPause();
    }

    /** A request for a core, which stands in the queue and is served if that is possible. */
    private Waiter ask(int core) {
        return changes.locked(() -> changes.make(change -> {
            LeaseRequest request = new LeaseRequest("MyTest", List.of(CoreRequest.exactly(core)));
            Waiter waiter = new Waiter(Placement.of(host, request), changes.condition());
            queue.enter(change, waiter);
            return waiter;
        }));
    }

    private <T> T seen(Supplier<T> what) {
        return changes.locked(what);
    }

    @Test
    void isADaemonThatEndsSomeTimeAfterTheLastWork() throws Exception {
        // given a thread that is none
        Thread beginning = new Thread(this::begin);
        beginning.setDaemon(false);
        beginning.start();
        beginning.join();

        // then
        assertThat(nextPause()).isEqualTo(IDLE);
        Thread watching = store.waiting;
        assertThat(watching.getName()).isEqualTo("neuron-lease-watch");
        assertThat(watching.isDaemon()).isTrue();

        // when
        store.goOn();

        // then
        watching.join(Patience.LIMIT.toMillis());
        assertThat(watching.isAlive()).isFalse();

        // when
        begin();

        // then there is another
        assertThat(nextPause()).isEqualTo(IDLE);
        assertThat(store.waiting).isNotSameAs(watching);
    }

    @Test
    void staysWhereWorkCameMeanwhile() throws Exception {
        // given
        begin();
        nextPause();
        store.grant(other, "OtherTest", CORE_0);
        ask(0);

        // then
        assertThat(pauseAfterOneLook()).isEqualTo(LeaseWatch.HEAD_LOOKS);
    }

    @Test
    void looksMoreOftenInFrontThanBehindOtherJvms() throws Exception {
        // given
        TableState.Ticket early = store.enqueue(other, "OtherTest");
        store.grant(other, "HoldingTest", CORE_0);
        ask(0);

        // when
        begin();

        // then
        assertThat(nextPause()).isBetween(Duration.ofMillis(100), Duration.ofMillis(300));

        // when
        changes.locked(() -> changes.make(change -> {
            change.state.withdraw(early.number());
            return change;
        }));

        // then
        assertThat(pauseAfterOneLook()).isEqualTo(LeaseWatch.HEAD_LOOKS);
    }

    @Test
    void isWokenFromALongPauseOnly() throws Exception {
        // given
        begin();
        nextPause();
        assertThat(store.rung).isEmpty();

        // when
        begin();

        // then
        assertThat(store.rung).containsExactly(store.self().number());

        // given
        store.grant(other, "OtherTest", CORE_0);
        ask(0);
        assertThat(pauseAfterOneLook()).isEqualTo(LeaseWatch.HEAD_LOOKS);

        // when
        begin();

        // then
        assertThat(store.rung).hasSize(1);
    }

    @Test
    void findsDeadJvms() throws Exception {
        // given
        store.grant(other, "DeadTest", CORE_0);
        Waiter waiter = ask(0);
        begin();
        nextPause();
        assertThat(seen(() -> waiter.lease)).isNull();

        // when
        store.die(other);
        pauseAfterOneLook();

        // then
        assertThat(seen(() -> waiter.lease)).isNotNull();
    }

    @Test
    void asksTheJvmInFrontWhetherItStillRuns() throws Exception {
        // given
        store.enqueue(other, "OtherTest");
        store.grant(other, "HoldingTest", CORE_0);
        ask(0);
        begin();
        nextPause();

        // when
        pauseAfterOneLook();

        // then
        assertThat(store.state().questions())
                .extracting(TableState.Question::member)
                .containsExactly(other.number());
    }

    @Test
    void seesThatAnOutsiderHasEnded() throws Exception {
        // given
        new HostFixture(root).link("proc/77/fd/5", "/dev/neuron0").file("proc/77/comm", "python3\n");
        outsiders.look(Duration.ZERO, changes::state);
        Waiter waiter = ask(0);
        assertThat(seen(() -> waiter.behindOutsiders)).isTrue();
        begin();
        assertThat(nextPause()).isEqualTo(LeaseWatch.HEAD_LOOKS);

        // when
        Files.delete(root.resolve("proc/77/fd/5"));

        // then
        await().until(() -> {
            pauseAfterOneLook();
            return seen(() -> waiter.lease) != null;
        });
    }

    @Test
    void saysWhatKeepsARequestWaiting() throws Exception {
        // given
        store.grant(other, "OtherTest", CORE_0);
        ask(0);
        begin();
        nextPause();
        assertThat(told).isEmpty();

        // when
        pauseAfterOneLook();

        // then
        assertThat(told).singleElement().asString().contains("OtherTest (pid 999999998");

        // when nothing has changed
        pauseAfterOneLook();

        // then
        assertThat(told).hasSize(1);
    }

    @Test
    void triesAgainWhatCouldNotBeWritten() throws Exception {
        // given
        store.outOfOrder = true;
        changes.locked(() ->
                changes.write(change -> change.state.enqueue(other.number(), "late", "1 core", "main", 1, List.of())));
        begin();

        // then it is at work
        assertThat(nextPause()).isLessThan(IDLE);
        assertThat(pauseAfterOneLook()).isLessThan(IDLE);

        // when
        store.outOfOrder = false;

        // then
        assertThat(pauseAfterOneLook()).isEqualTo(IDLE);
        assertThat(store.state().queue()).hasSize(1);
    }

    @Test
    void tellsThoseWhoWaitThatTheTableCannotBeUsed() throws Exception {
        // given
        store.grant(other, "OtherTest", CORE_0);
        Waiter waiter = ask(0);
        begin();
        nextPause();

        // when
        store.outOfOrder = true;
        pauseAfterOneLook();

        // then
        assertThat(seen(() -> waiter.failure)).isInstanceOf(LeaseTableException.class);
    }

    @Test
    void endsWithTheTable() throws Exception {
        // given
        store.grant(other, "OtherTest", CORE_0);
        ask(0);
        begin();
        nextPause();

        // when, then
        end();
        assertThat(store.pauses).isEmpty();
    }
}
