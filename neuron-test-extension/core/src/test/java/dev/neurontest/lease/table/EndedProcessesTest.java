package dev.neurontest.lease.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.lease.DeadHolder;
import dev.neurontest.lease.DeviceReading;
import dev.neurontest.lease.LeaseObserver;
import dev.neurontest.lease.Quarantine.Until;
import dev.neurontest.lease.store.LockLimit;
import dev.neurontest.lease.store.LockedPrograms;
import dev.neurontest.lease.store.TableState;
import dev.neurontest.patience.Patience;
import dev.neurontest.process.ProcessIdentity;
import dev.neurontest.process.ProcessTable;
import dev.neurontest.process.ProgramLock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who looks for JVMs that have ended, and what becomes of what they held. */
class EndedProcessesTest {

    private static final String CORE_0 = "neuron0/neuron_core0";

    @TempDir
    Path root;

    private final List<DeadHolder> told = new ArrayList<>();
    private final LeaseNews news = new LeaseNews(new LeaseObserver() {
        @Override
        public void holderDied(DeadHolder dead) {
            told.add(dead);
        }
    });
    private final ProcessTable processes = new ProcessTable();
    private final SharedStoreFixture store = new SharedStoreFixture();
    private NeuronHost host;
    private EndedProcesses ended;
    private TableState.Member other;

    @BeforeEach
    void anotherJvmHoldsACore() {
        host = new HostFixture(root).devices(HostFixture.Kind.TRN1, 0, 1).host();
        ended = every(Duration.ofHours(1));
        other = store.join(999_999_998);
        store.grant(other, "OtherTest", CORE_0);
    }

    private EndedProcesses every(Duration between) {
        return new EndedProcesses(store, processes::life, new HostCores(host, host.cores()), news, between);
    }

    private TableChange lookWhenDue() {
        return told(store.change(state -> {
            TableChange change = new TableChange(state);
            ended.lookWhenDue(change);
            return change;
        }));
    }

    private TableChange look() {
        return told(store.change(state -> {
            TableChange change = new TableChange(state);
            ended.look(change);
            return change;
        }));
    }

    private TableChange told(TableChange change) {
        change.effects.forEach(Runnable::run);
        news.tell();
        return change;
    }

    private boolean isHeld() {
        return !store.state().claims().isEmpty();
    }

    private static ProcessIdentity of(ProcessIdentity self, long started) {
        return new ProcessIdentity(self.pid(), started, self.namespace(), self.user());
    }

    @Test
    void aDeadJvmLosesItsCoresAndIsReported() {
        // given
        store.die(other);

        // when
        TableChange change = look();

        // then
        assertThat(isHeld()).isFalse();
        assertThat(store.state().member(other.number())).isEmpty();
        assertThat(change.concernsAll).isFalse();
        assertThat(told)
                .containsExactly(
                        new DeadHolder(999_999_998, "OtherTest", host.cores().subList(0, 1), Instant.EPOCH, List.of()));
    }

    @Test
    void aJvmThatLivesKeepsItsCores() {
        // when
        look();

        // then
        assertThat(isHeld()).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void thisJvmIsNeverTakenForDead() {
        // given
        store.die(store.self());

        // when
        look();

        // then
        assertThat(store.state().member(store.self().number())).isPresent();
    }

    @Test
    void allWhoWaitLookAgainWhereAProcessOutlivedItsJvm() {
        // given a process that is there: this one
        ProcessIdentity self = processes.self();
        store.change(state -> {
            state.started(state.claims().get(0).number(), self);
            return state;
        });
        store.die(other);

        // when
        TableChange change = look();

        // then
        assertThat(change.concernsAll).isTrue();
        assertThat(change.cleared).isEmpty();
        assertThat(told).singleElement().satisfies(dead -> {
            assertThat(dead.survivors()).containsExactly(self.pid());
            assertThat(dead.cores()).extracting(NeuronCore::index).containsExactly(0);
        });
    }

    @Test
    void aQuarantineEndsWithItsProcesses() {
        // given
        ProcessIdentity self = processes.self();
        long number = store.<Long>change(
                state -> state.bar(
                                CORE_0,
                                "its process was alive",
                                state.claims().get(0),
                                Until.PROCESSES_END,
                                Instant.EPOCH,
                                DeviceReading.NONE,
                                List.of(of(self, self.startTicks() + 1)))
                        .number(),
                LockLimit.of(Patience.LIMIT));

        // when
        TableChange change = look();

        // then
        assertThat(store.state().barred()).isEmpty();
        assertThat(change.cleared).isEqualTo(Map.of(number, "its processes have ended"));
    }

    @Test
    void theFirstLookIsDueAtOnceAndTheNextOneNotSoSoon() {
        // given
        store.die(other);

        // when
        lookWhenDue();

        // then
        assertThat(isHeld()).isFalse();

        // given
        TableState.Member next = store.join(999_999_997);
        store.grant(next, "NextTest", CORE_0);
        store.die(next);

        // when
        lookWhenDue();

        // then
        assertThat(isHeld()).isTrue();
    }

    @Test
    void isDueAgainAfterAWhile() {
        // given
        ended = every(Duration.ZERO);
        lookWhenDue();
        store.die(other);

        // when
        lookWhenDue();

        // then
        assertThat(isHeld()).isFalse();
    }

    @Test
    void isUpToTheJvmInFrontAsLongAsItLives() {
        // given
        TableState.Member first = store.join(999_999_997);
        store.enqueue(first, "FirstTest");
        store.enqueue(store.self(), "SecondTest");
        store.die(other);

        // when
        lookWhenDue();

        // then
        assertThat(isHeld()).isTrue();

        // when
        store.die(first);
        lookWhenDue();

        // then
        assertThat(isHeld()).isFalse();
        assertThat(store.state().member(first.number())).isEmpty();
    }

    @Test
    void isUpToThisJvmWhereItIsInFront() {
        // given
        store.enqueue(store.self(), "FirstTest");
        store.enqueue(store.join(999_999_997), "SecondTest");
        store.die(other);

        // when
        lookWhenDue();

        // then
        assertThat(isHeld()).isFalse();
    }

    @Test
    void aDeadJvmKeepsItsCoresUntilItsLockIsTested() {
        // given
        ended = new EndedProcesses(
                store,
                new LockedPrograms(processes, store::hasLock, store::test),
                new HostCores(host, host.cores()),
                news,
                Duration.ZERO);
        String lock = "jvm-999999998/lease-" + store.state().claims().get(0).number();
        store.locks.put(lock, ProgramLock.State.HELD);
        store.die(other);

        // when
        boolean isWithoutTest = store.<Boolean>change(state -> ended.look(new TableChange(state)));

        // then
        assertThat(isWithoutTest).isTrue();
        assertThat(isHeld()).isTrue();

        // when
        ended.test();
        look();

        // then
        assertThat(isHeld()).isFalse();
        assertThat(store.state().barred()).singleElement().satisfies(entry -> {
            assertThat(entry.lock()).isEqualTo(lock);
            assertThat(entry.reason())
                    .isEqualTo(
                            "the lease ended with its JVM 999999998 while a process that its program had started was alive");
        });
    }
}
