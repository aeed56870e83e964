package dev.neurontest.lease.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.configuration.OtherOwnersPolicy;
import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.lease.CoreRequest;
import dev.neurontest.lease.HealthCheck;
import dev.neurontest.lease.Lease;
import dev.neurontest.lease.LeaseDeadlockException;
import dev.neurontest.lease.LeaseObserver;
import dev.neurontest.lease.LeaseRequest;
import dev.neurontest.lease.Quarantine.Until;
import dev.neurontest.lease.store.TableState;
import dev.neurontest.process.ProcessTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The requests of one JVM, on a table that it shares. Cores 0 and 1 are on device 0, cores 2 and 3 on device 1. */
class LeaseQueueTest {

    private static final String CORE_0 = "neuron0/neuron_core0";
    private static final String CORE_1 = "neuron0/neuron_core1";
    private static final String CORE_3 = "neuron1/neuron_core1";

    @TempDir
    Path root;

    private final List<String> told = new ArrayList<>();
    private final LeaseNews news = new LeaseNews(new LeaseObserver() {
        @Override
        public void warned(String notice) {
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

    @BeforeEach
    void emptyQueue() {
        host = new HostFixture(root).devices(HostFixture.Kind.TRN1, 0, 1).host();
        table = LeaseTable.builder(host).open();
        queue(OtherOwnersPolicy.AVOID, null);
    }

    @AfterEach
    void close() {
        table.close();
    }

    private void queue(OtherOwnersPolicy otherOwners, HealthCheck check) {
        HostCores cores = new HostCores(host, host.cores());
        outsiders = new Outsiders(host, otherOwners, processes);
        queue = new LeaseQueue(
                store,
                cores,
                outsiders,
                otherOwners,
                new HealthChecks(check, cores, store.self().number()),
                news,
                processes);
    }

    /** Counts how often a thread would have been woken. */
    private static final class SignalsFixture implements Condition {

        private int signals;

        @Override
        public void signal() {
            signals++;
        }

        @Override
        public void signalAll() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void await() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void awaitUninterruptibly() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long awaitNanos(long nanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean await(long time, TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean awaitUntil(Date deadline) {
            throw new UnsupportedOperationException();
        }
    }

    private Waiter waiter(LeaseRequest request) {
        return new Waiter(Placement.of(host, request), new SignalsFixture());
    }

    private static int signals(Waiter waiter) {
        return ((SignalsFixture) waiter.condition).signals;
    }

    private void make(Consumer<TableChange> step) {
        TableChange made = store.change(state -> {
            TableChange change = new TableChange(state);
            step.accept(change);
            return change;
        });
        made.effects.forEach(Runnable::run);
        news.tell();
    }

    private Waiter enter(LeaseRequest request) {
        Waiter waiter = waiter(request);
        make(change -> queue.enter(change, waiter));
        return waiter;
    }

    private Waiter enter(String holder, CoreRequest... requests) {
        return enter(new LeaseRequest(holder, List.of(requests)));
    }

    private void serve() {
        make(change -> queue.serve(change, (claim, waited, cores) -> new GrantedLease(table, claim, waited, cores)));
    }

    private void findHopeless() {
        make(queue::findHopeless);
    }

    private static List<Integer> indices(Waiter served) {
        return served.lease.cores().stream().map(NeuronCore::index).toList();
    }

    /** Another JVM had a core, and gave it back because its hardware is suspect. */
    private TableState.Barred illCore(String core) {
        TableState.Claim claim = store.grant(other, "BadTest", core);
        TableState.Barred entry = store.bar(claim, Until.RESET, core);
        make(change -> change.state.release(claim.number(), process -> ProcessTable.Life.ENDED));
        return entry;
    }

    private void examine(TableState.Barred entry) {
        make(change -> change.state.check(entry.number(), other.number()));
    }

    private static Optional<String> well(NeuronCore core) {
        return Optional.empty();
    }

    /** Processes have device 0 open; who they descend from cannot be seen. */
    private void openDevice0(long... pids) {
        for (long pid : pids) {
            new HostFixture(root)
                    .link("proc/" + pid + "/fd/5", "/dev/neuron0")
                    .file("proc/" + pid + "/comm", "python3\n");
        }
        outsiders.look(Duration.ZERO, store::state);
    }

    @Nested
    class Requests {

        @Test
        void areWrittenOnTheTable() {
            // given
            assertThat(queue.isEmpty()).isTrue();
            Waiter outer = enter("FooTest", CoreRequest.exactly(0));
            serve();
            assertThat(queue.isEmpty()).isTrue();

            // when
            Waiter waiter = enter(
                    new LeaseRequest("FooTest.bar()", List.of(CoreRequest.any())).within(List.<Lease>of(outer.lease)));

            // then
            Thread thread = Thread.currentThread();
            assertThat(store.state().queue())
                    .containsExactly(new TableState.Ticket(
                            waiter.number(),
                            store.self().number(),
                            "FooTest.bar()",
                            "1 core",
                            thread.getName(),
                            thread.getId(),
                            List.of(outer.lease.number()),
                            false));
            assertThat(queue.isEmpty()).isFalse();
        }

        @Test
        void areServedAsLongAsTheyFit() {
            // given
            Waiter first = enter("first", CoreRequest.any());
            Waiter second = enter("second", CoreRequest.inARow(2));
            Waiter third = enter("third", CoreRequest.inARow(2));

            // when
            serve();

            // then
            assertThat(indices(first)).containsExactly(0);
            assertThat(indices(second)).containsExactly(2, 3);
            assertThat(third.lease).isNull();
            assertThat(List.of(signals(first), signals(second), signals(third))).containsExactly(1, 1, 0);
            assertThat(store.state().claims())
                    .extracting(TableState.Claim::cores)
                    .containsExactly(List.of(CORE_0), List.of("neuron1/neuron_core0", "neuron1/neuron_core1"));
            assertThat(store.state().queue())
                    .extracting(TableState.Ticket::holder)
                    .containsExactly("third");
            assertThat(queue.isInFront()).isTrue();
        }

        @Test
        void areMarkedWhereTheyLastForTheirJvm() {
            // given
            enter(new LeaseRequest("session", List.of(CoreRequest.any())).forAllOfTheJvm());
            enter("test", CoreRequest.any());

            // when
            serve();

            // then
            assertThat(store.state().claims())
                    .extracting(TableState.Claim::lasting)
                    .containsExactly(true, false);
        }

        @Test
        void waitBehindThoseOfOtherJvms() {
            // given
            TableState.Ticket early = store.enqueue(other, "OtherTest");
            Waiter late = enter("MyTest", CoreRequest.any());

            // when
            serve();

            // then
            assertThat(late.lease).isNull();
            assertThat(queue.isInFront()).isFalse();

            // when
            make(change -> change.state.withdraw(early.number()));
            serve();

            // then
            assertThat(indices(late)).containsExactly(0);
            assertThat(queue.isInFront()).isFalse();
        }

        @Test
        void thatNoThreadWaitsForAreWithdrawn() {
            // given what is left of one whose withdrawal could not be written
            store.enqueue(store.self(), "gone");
            Waiter waiter = enter("MyTest", CoreRequest.any());

            // when
            serve();

            // then
            assertThat(indices(waiter)).containsExactly(0);
            assertThat(store.state().queue()).isEmpty();
        }

        @Test
        void leaveOnce() {
            // given
            Waiter waiter = enter("MyTest", CoreRequest.any());

            // then
            assertThat(queue.leave(waiter)).isTrue();
            assertThat(queue.isEmpty()).isTrue();
            assertThat(queue.leave(waiter)).isFalse();
        }

        @Test
        void areWithdrawnByTheirJvmOnly() {
            // given
            long mine = enter("MyTest", CoreRequest.any()).number();
            enter("NextTest", CoreRequest.any());
            long theirs = store.enqueue(other, "OtherTest").number();

            // when
            make(change -> queue.withdraw(change, theirs));
            make(change -> queue.withdraw(change, mine));

            // then
            assertThat(store.state().queue())
                    .extracting(TableState.Ticket::holder)
                    .containsExactly("NextTest", "OtherTest");
        }

        @Test
        void failTogetherWhereTheTableCannotBeUsed() {
            // given
            RuntimeException failure = new IllegalStateException("out of order");
            Waiter waiter = enter("MyTest", CoreRequest.any());

            // when
            queue.failAll(failure);

            // then
            assertThat(waiter.failure).isSameAs(failure);
            assertThat(signals(waiter)).isOne();
            assertThat(queue.isEmpty()).isFalse();
        }

        @Test
        void failWhenTheTableIsClosed() {
            // given
            Waiter waiter = enter("MyTest", CoreRequest.any());

            // when
            queue.close();

            // then
            assertThat(waiter.failure)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("MyTest waited for cores when its lease table was closed");
            assertThat(signals(waiter)).isOne();
            assertThat(queue.isEmpty()).isTrue();
        }
    }

    @Nested
    class OutsideOwners {

        @Test
        void holdUpWhoNeedsTheirDevice() {
            // given
            openDevice0(77);
            assertThat(queue.isBehindOutsiders()).isFalse();
            Waiter waiter = enter("MyTest", CoreRequest.exactly(0));

            // when
            serve();

            // then
            assertThat(waiter.lease).isNull();
            assertThat(waiter.behindOutsiders).isTrue();
            assertThat(queue.isBehindOutsiders()).isTrue();
        }

        @Test
        void doNotHoldUpWhoWouldWaitAnyway() {
            // given
            store.grant(other, "OtherTest", CORE_3);
            openDevice0(77);
            Waiter waiter = enter("MyTest", CoreRequest.exactly(3));

            // when
            serve();

            // then
            assertThat(waiter.lease).isNull();
            assertThat(waiter.behindOutsiders).isFalse();
            assertThat(queue.isBehindOutsiders()).isFalse();
        }

        @Test
        void areNotToBlameForADeviceThatIsExamined() {
            // given
            examine(illCore(CORE_0));
            Waiter waiter = enter("MyTest", CoreRequest.exactly(1));

            // when
            serve();

            // then
            assertThat(waiter.lease).isNull();
            assertThat(waiter.behindOutsiders).isFalse();
        }

        @Test
        void areNotWaitedForWhereTheyAreOnlyWarnedOf() {
            // given
            queue(OtherOwnersPolicy.WARN, null);
            openDevice0(77);
            examine(illCore(CORE_0));
            Waiter waiter = enter("MyTest", CoreRequest.exactly(1));

            // when
            serve();

            // then
            assertThat(waiter.lease).isNull();
            assertThat(waiter.behindOutsiders).isFalse();
        }

        @Test
        void areNamedOncePerDeviceWhereTheyAreOnlyWarnedOf() {
            // given
            queue(OtherOwnersPolicy.WARN, null);
            openDevice0(77, 78);
            Waiter waiter = enter("MyTest", CoreRequest.inARow(3));

            // when
            serve();

            // then
            assertThat(told)
                    .containsExactly("MyTest got cores of neuron0 although it is open in python3 (pid 77),"
                            + " python3 (pid 78), which has no lease.");
            assertThat(waiter.lease.met())
                    .containsExactly("python3 (pid 77) on neuron0", "python3 (pid 78) on neuron0");
        }
    }

    @Nested
    class IllCores {

        @Test
        void areLookedAtForWhoNeedsThem() {
            // given
            queue(OtherOwnersPolicy.AVOID, (core, why) -> well(core));
            illCore(CORE_0);
            Waiter waiter = enter("MyTest", CoreRequest.exactly(0));

            // when
            serve();

            // then
            assertThat(waiter.lease).isNull();
            assertThat(waiter.wantsHealthCheck).isTrue();
            assertThat(signals(waiter)).isOne();
        }

        @Test
        void areNotLookedAtWhereThatWouldNotDo() {
            // given
            queue(OtherOwnersPolicy.AVOID, (core, why) -> well(core));
            illCore(CORE_0);
            store.grant(other, "OtherTest", CORE_3);
            Waiter waiter = enter("MyTest", CoreRequest.inARow(4));

            // when
            serve();

            // then
            assertThat(waiter.lease).isNull();
            assertThat(waiter.wantsHealthCheck).isFalse();
            assertThat(signals(waiter)).isZero();
        }

        @Test
        void areNotLookedAtWhereThereAreNone() {
            // given a device that another JVM examines
            queue(OtherOwnersPolicy.AVOID, (core, why) -> well(core));
            examine(illCore(CORE_0));
            Waiter waiter = enter("MyTest", CoreRequest.exactly(1));

            // when
            serve();

            // then
            assertThat(waiter.lease).isNull();
            assertThat(waiter.wantsHealthCheck).isFalse();
        }

        @Test
        void areNotWaitedForWhereOnlyALookBringsThemBack() {
            // given
            TableState.Barred ill = illCore(CORE_0);
            Waiter needing = enter("MyTest", CoreRequest.exactly(0));
            Waiter another = enter("NextTest", CoreRequest.exactly(3));

            // when
            findHopeless();

            // then
            assertThat(needing.hopeless).isTrue();
            assertThat(needing.wantsHealthCheck).isFalse();
            assertThat(signals(needing)).isOne();
            assertThat(another.hopeless).isFalse();
            assertThat(signals(another)).isZero();

            // when
            make(change -> change.state.clear(ill.number()));
            findHopeless();

            // then
            assertThat(needing.hopeless).isFalse();
        }

        @Test
        void areLookedAtOnceMoreForWhoWouldGiveUp() {
            // given
            queue(OtherOwnersPolicy.AVOID, (core, why) -> well(core));
            illCore(CORE_0);
            Waiter waiter = enter("MyTest", CoreRequest.exactly(0));

            // when
            findHopeless();

            // then
            assertThat(waiter.hopeless).isTrue();
            assertThat(waiter.wantsHealthCheck).isTrue();
        }

        @Test
        void areNoReasonToGiveUpForWhoWaitsForOthers() {
            // given
            store.grant(other, "OtherTest", CORE_0);
            Waiter waiter = enter("MyTest", CoreRequest.exactly(0));

            // when
            findHopeless();

            // then
            assertThat(waiter.hopeless).isFalse();
        }
    }

    /** This JVM keeps core 0, the other one keeps core 1. */
    @Nested
    class Holders {

        private Lease mine;
        private TableState.Claim theirs;

        @BeforeEach
        void keepACoreEach() {
            Waiter served = enter("MyTest", CoreRequest.exactly(0));
            serve();
            mine = served.lease;
            theirs = store.grant(other, "OtherTest", CORE_1);
        }

        private Waiter enterWanting(int core) {
            return enter(new LeaseRequest("MyTest.test()", List.of(CoreRequest.exactly(core))).within(List.of(mine)));
        }

        /** The other JVM says that it could not be served even if all gave back their cores who do not wait. */
        private void enterTheirs(boolean stuck) {
            TableState.Ticket ticket = store.enqueue(other, "OtherTest.test()", theirs.number());
            if (stuck) {
                stuck(ticket);
            }
        }

        private void stuck(TableState.Ticket ticket) {
            make(change -> change.state.stuck(ticket.number()));
        }

        private List<Boolean> stuck() {
            return store.state().queue().stream().map(TableState.Ticket::stuck).toList();
        }

        @Test
        void giveUpWhereTheyAreTheLastOfThoseWhoWaitForEachOther() {
            // given
            enterTheirs(false);
            Waiter last = enterWanting(1);
            stuck(store.state().queue().iterator().next());

            // when
            findHopeless();

            // then
            assertThat(last.failure)
                    .isInstanceOf(LeaseDeadlockException.class)
                    .hasMessage(String.format(
                            "MyTest.test() asks for core 1 while it keeps cores that others wait for,"
                                    + " who keep what it waits for.%n"
                                    + "Waiting for each other:%n"
                                    + "  OtherTest.test(): keeps neuron0/neuron_core1 and wants 1 core"
                                    + " (pid 999999998, thread main)%n"
                                    + "  MyTest.test(): keeps neuron0/neuron_core0 and wants core 1"
                                    + " (pid %s, this JVM, thread %s)%n"
                                    + "Lease everything for the class, or everything for the test, so that no test keeps"
                                    + " cores while it waits.",
                            ProcessHandle.current().pid(),
                            Thread.currentThread().getName()));
            assertThat(signals(last)).isOne();
        }

        @Test
        void sayThatTheyAreStuckAndWaitWhereTheOthersAreNot() {
            // given
            enterTheirs(false);
            Waiter last = enterWanting(1);

            // when
            findHopeless();

            // then
            assertThat(last.failure).isNull();
            assertThat(stuck()).containsExactly(false, true);
        }

        @Test
        void leaveItToTheLastToGiveUp() {
            // given
            Waiter first = enterWanting(1);
            enterTheirs(true);

            // when
            findHopeless();

            // then
            assertThat(first.failure).isNull();
            assertThat(stuck()).containsExactly(true, true);
        }

        @Test
        void areNotStuckWhereTheyWaitForOneWhoDoesNotWait() {
            // given
            store.grant(other, "ThirdTest", CORE_3);
            enterTheirs(false);
            Waiter last = enterWanting(3);
            stuck(store.state().queue().iterator().next());

            // when
            findHopeless();

            // then
            assertThat(last.failure).isNull();
            assertThat(stuck()).containsExactly(true, false);
        }

        @Test
        void areNotStuckAlone() {
            // given
            Waiter alone = enterWanting(1);

            // when
            findHopeless();

            // then
            assertThat(alone.failure).isNull();
            assertThat(stuck()).containsExactly(false);
        }
    }
}
