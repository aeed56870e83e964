package dev.neurontest.internal.lease.table;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.configuration.OtherOwnersPolicy;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.CoresQuarantinedException;
import dev.neurontest.internal.lease.HealthCheck;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseDeadlockException;
import dev.neurontest.internal.lease.LeaseObserver;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.patience.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests for every table, regardless of its storage. */
abstract class LeaseTableContract {

    static final Duration LONG = Patience.LIMIT;

    @TempDir
    Path root;

    LeaseTable table;

    abstract LeaseTable.Builder kept(LeaseTable.Builder table);

    @BeforeEach
    void fourCores() {
        table = kept(LeaseTable.builder(host())).open();
    }

    @AfterEach
    void close() {
        table.close();
    }

    /** Returns a host with cores 0 and 1 on device 0, and cores 2 and 3 on device 1. */
    NeuronHost host() {
        return new HostFixture(root).devices(HostFixture.Kind.TRN1, 0, 1).host();
    }

    Lease lease(String holder, CoreRequest... requests) throws InterruptedException {
        return table.lease(new LeaseRequest(holder, List.of(requests)), Duration.ZERO);
    }

    static List<Integer> indices(Lease lease) {
        return lease.cores().stream().map(NeuronCore::index).toList();
    }

    /** A test that requests cores on a separate thread. */
    final class WaiterFixture {

        private final String holder;
        final FutureTask<Lease> lease;
        final Thread thread;

        WaiterFixture(LeaseRequest request, Duration atMost) {
            holder = request.holder();
            lease = new FutureTask<>(() -> table.lease(request, atMost));
            thread = new Thread(lease, "thread of " + holder);
            thread.setDaemon(true);
            thread.start();
        }

        WaiterFixture(String holder, Duration atMost, CoreRequest... requests) {
            this(new LeaseRequest(holder, List.of(requests)), atMost);
        }

        WaiterFixture(String holder, CoreRequest... requests) {
            this(new LeaseRequest(holder, List.of(requests)));
        }

        WaiterFixture(LeaseRequest request) {
            this(request, LONG);
            awaitWaiting();
        }

        /** Waits until the request waits or is done, because on a slow machine it may have been served already. */
        private void awaitWaiting() {
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> lease.isDone()
                            || LockSupport.getBlocker(thread) instanceof AbstractQueuedSynchronizer.ConditionObject);
        }

        Lease get() throws Exception {
            return lease.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }

        /** Returns whether the request has no lease yet. Returned cores are leased to others without a delay. */
        boolean waits() {
            return table.held().stream().noneMatch(lease -> lease.holder().equals(holder));
        }
    }

    @Nested
    class Leases {

        @Test
        void areExclusive() throws Exception {
            // when
            Lease first = lease("first", CoreRequest.inARow(2));
            Lease second = lease("second", CoreRequest.inARow(2));

            // then
            assertThat(indices(first)).containsExactly(0, 1);
            assertThat(indices(second)).containsExactly(2, 3);
        }

        @Test
        void listCoresInOrderOfRequests() throws Exception {
            // when
            Lease lease = lease("test", CoreRequest.any(), CoreRequest.exactly(0), CoreRequest.inARow(2));

            // then
            assertThat(lease.granted())
                    .extracting(cores -> cores.stream().map(NeuronCore::index).toList())
                    .containsExactly(List.of(1), List.of(0), List.of(2, 3));
            assertThat(indices(lease)).containsExactly(0, 1, 2, 3);
        }

        @Test
        void areReleasedOnClose() throws Exception {
            // given
            try (Lease lease = lease("first", CoreRequest.exactly(2))) {
                assertThat(table.held()).containsExactly(lease);
            }

            // then
            assertThat(table.held()).isEmpty();
            assertThat(indices(lease("second", CoreRequest.inARow(4)))).containsExactly(0, 1, 2, 3);
        }

        @Test
        void areReleasedOnlyOnceWhenClosedTwice() throws Exception {
            // given
            Lease first = lease("first", CoreRequest.any());
            first.close();
            Lease second = lease("second", CoreRequest.any());

            // when
            first.close();

            // then
            assertThat(indices(lease("third", CoreRequest.any()))).containsExactly(1);
            assertThat(table.held()).contains(second);
        }

        @Test
        void nameHolderAndThread() throws Exception {
            // when
            Lease lease = lease("a test", CoreRequest.inARow(2));

            // then
            assertThat(lease.holder()).isEqualTo("a test");
            assertThat(lease.thread()).isEqualTo(Thread.currentThread().getName());
            assertThat(lease)
                    .hasToString("neuron0/neuron_core0, neuron0/neuron_core1 leased by a test (thread " + lease.thread()
                            + ", since " + lease.since() + ")");
        }

        @Test
        void areRefusedAtOnceWhenHostHasTooFewCores() {
            // given a test that would wait long
            LeaseRequest request = new LeaseRequest("a test", List.of(CoreRequest.inARow(5)));

            // then
            assertThatExceptionOfType(ImpossibleRequestException.class)
                    .isThrownBy(() -> table.lease(request, Duration.ofDays(1000_000)));
        }

        @Test
        void forCollectivesAreRefusedWithoutAlignedCores() throws Exception {
            // given
            LeaseRequest request =
                    new LeaseRequest("a test", List.of(CoreRequest.forCollectives(CoreRequest.inARow(2))));
            List<NeuronCore> taken = lease("outer", CoreRequest.exactly(0, 3)).cores();

            // then
            assertThatExceptionOfType(ImpossibleRequestException.class)
                    .isThrownBy(() -> table.check(request, taken))
                    .withMessage(
                            "a test requests 2 cores in a row from a multiple of 2, which cannot be met while its class or"
                                    + " its session holds neuron0/neuron_core0, neuron1/neuron_core1.");
        }

        @Test
        void canBeCheckedWhileAllCoresAreHeld() throws Exception {
            // given
            Lease all = lease("all", CoreRequest.inARow(4));

            // when
            table.check(CoreRequest.inARow(4));

            // then
            assertThat(table.held()).containsExactly(all);
            assertThatExceptionOfType(ImpossibleRequestException.class)
                    .isThrownBy(() -> table.check(CoreRequest.inARow(5)))
                    .withMessageStartingWith("a test requests 5 cores in a row, but there are not so many");
        }
    }

    @Nested
    class Waiting {

        @Test
        void endsWhenTheCoresAreFree() throws Exception {
            // given
            Lease first = lease("first", CoreRequest.inARow(4));
            WaiterFixture second = new WaiterFixture("second", CoreRequest.inARow(2));

            // when
            first.close();

            // then
            assertThat(indices(second.get())).containsExactly(0, 1);
        }

        @Test
        void isReportedWhenLongAndWhenOver() throws Exception {
            // given
            ToldFixture observer = new ToldFixture();
            reopen(options -> options.observer(observer).waitsReportedAfter(Duration.ZERO));
            Lease first = lease("first", CoreRequest.inARow(4));

            // when
            WaiterFixture second = new WaiterFixture("second", CoreRequest.inARow(2));

            // then
            await().untilAsserted(() -> assertThat(observer.told)
                    .singleElement()
                    .asString()
                    .startsWith("waiting second has waited ")
                    .contains(" for 2 cores in a row; 0 of 4 cores are free."
                            + " Held: cores 0-3 by first (pid "
                            + ProcessHandle.current().pid() + ", this JVM, thread "));

            // when
            first.close();
            second.get();

            // then
            await().untilAsserted(() -> assertThat(observer.told)
                    .hasSize(2)
                    .last()
                    .asString()
                    .matches("waiting second got its cores after [0-9]+ (s|min)\\."));
        }

        @Test
        void isNotReportedWhenCoresAreFree() throws Exception {
            // given
            ToldFixture observer = new ToldFixture();
            reopen(options -> options.observer(observer).waitsReportedAfter(Duration.ZERO));

            // when
            lease("first", CoreRequest.inARow(4));

            // then
            assertThat(observer.told).isEmpty();
        }

        @Test
        void isMeasured() throws Exception {
            // given
            Lease first = lease("first", CoreRequest.inARow(4));
            WaiterFixture second = new WaiterFixture("second", CoreRequest.inARow(2));
            long waiting = System.nanoTime();

            // when
            Duration atLeast = Duration.ofNanos(System.nanoTime() - waiting);
            first.close();

            // then
            assertThat(second.get().waited()).isGreaterThan(atLeast);
        }

        @Test
        void holdsNothingWhileOnlyPartIsFree() throws Exception {
            // given
            Lease low = lease("low", CoreRequest.inARow(2));
            Lease high = lease("high", CoreRequest.inARow(2));
            WaiterFixture both = new WaiterFixture("both", CoreRequest.exactly(0), CoreRequest.exactly(3));

            // when
            low.close();

            // then it holds nothing yet
            assertThat(both.waits()).isTrue();
            assertThat(table.held()).containsExactly(high);

            // when
            high.close();

            // then
            assertThat(indices(both.get())).containsExactly(0, 3);
        }

        @Test
        void lastsWhileEarlierRequestWaits() throws Exception {
            // given a large request, and one that could be served
            lease("holder", CoreRequest.exactly(0));
            WaiterFixture much = new WaiterFixture("much", CoreRequest.inARow(4));

            // when
            WaiterFixture little = new WaiterFixture("little", CoreRequest.any());

            // then
            assertThat(little.waits()).isTrue();
            assertThat(much.waits()).isTrue();
        }

        @Test
        void endsForAllRequestsThatFit() throws Exception {
            // given
            Lease all = lease("all", CoreRequest.inARow(4));
            WaiterFixture first = new WaiterFixture("first", CoreRequest.any());
            WaiterFixture second = new WaiterFixture("second", CoreRequest.inARow(2));
            WaiterFixture third = new WaiterFixture("third", CoreRequest.inARow(2));

            // when
            all.close();

            // then
            assertThat(indices(first.get())).containsExactly(0);
            assertThat(indices(second.get())).containsExactly(2, 3);
            assertThat(third.waits()).isTrue();
        }

        @Test
        void endsWithCoresAcrossDevicesWhenNoneIsFree() throws Exception {
            // given
            lease("low", CoreRequest.exactly(0));
            lease("high", CoreRequest.exactly(3));

            // when
            Lease pair = lease("pair", CoreRequest.inARow(2));

            // then
            assertThat(indices(pair)).containsExactly(1, 2);
        }

        @Test
        void forCollectivesLastsUntilAlignedCoresAreFree() throws Exception {
            // given cores 1 and 2 are free
            Lease low = lease("low", CoreRequest.exactly(0));
            lease("high", CoreRequest.exactly(3));
            WaiterFixture group = new WaiterFixture("group", CoreRequest.forCollectives(CoreRequest.inARow(2)));

            // when
            WaiterFixture single = new WaiterFixture("single", CoreRequest.any());

            // then
            assertThat(group.waits() && single.waits()).isTrue();

            // when
            low.close();

            // then
            assertThat(indices(group.get())).containsExactly(0, 1);
            assertThat(indices(single.get())).containsExactly(2);
        }

        @Test
        void ofLargeRequestEndsBeforeLaterSmallRequests() throws Exception {
            // given small requests that all prefer device 1
            Lease low = lease("low", CoreRequest.exactly(0));
            Lease high = lease("high", CoreRequest.inARow(2));
            WaiterFixture large = new WaiterFixture("large", CoreRequest.inARow(4));
            WaiterFixture small = new WaiterFixture("small", CoreRequest.inARow(2));
            WaiterFixture next = new WaiterFixture("next", CoreRequest.inARow(2));

            // when
            high.close();

            // then
            assertThat(large.waits() && small.waits() && next.waits()).isTrue();

            // when
            low.close();
            Lease all = large.get();

            // then
            assertThat(indices(all)).containsExactly(0, 1, 2, 3);
            assertThat(small.waits()).isTrue();

            // when
            all.close();

            // then
            assertThat(indices(small.get())).containsExactly(0, 1);
            assertThat(indices(next.get())).containsExactly(2, 3);
        }

        @Test
        void endsForTheNextWhenTheFirstGivesUp() throws Exception {
            // given
            lease("holder", CoreRequest.exactly(0));
            WaiterFixture much = new WaiterFixture("much", Duration.ofSeconds(3), CoreRequest.inARow(4));
            much.awaitWaiting();
            WaiterFixture little = new WaiterFixture("little", CoreRequest.any());

            // then
            assertThatThrownBy(much::get).hasCauseInstanceOf(LeaseTimeoutException.class);
            assertThat(indices(little.get())).containsExactly(1);
        }

        @Test
        void endsForTheNextWhenTheFirstIsInterrupted() throws Exception {
            // given
            lease("holder", CoreRequest.exactly(0));
            WaiterFixture much = new WaiterFixture("much", CoreRequest.inARow(4));
            WaiterFixture little = new WaiterFixture("little", CoreRequest.any());

            // when
            much.thread.interrupt();

            // then
            assertThatThrownBy(much::get).hasCauseInstanceOf(InterruptedException.class);
            assertThat(indices(little.get())).containsExactly(1);
        }

        @Test
        void leavesNoLeaseWhenInterruptedDuringGrant() throws Exception {
            for (int round = 0; round < 500; round++) {
                // given
                Lease first = lease("first", CoreRequest.inARow(4));
                WaiterFixture second = new WaiterFixture("second", CoreRequest.inARow(4));

                // when
                Thread interrupting = new Thread(second.thread::interrupt);
                interrupting.start();
                first.close();
                interrupting.join();

                // then it either has its lease or left no lease behind
                try {
                    second.get().close();
                } catch (ExecutionException interrupted) {
                    assertThat(interrupted).hasCauseInstanceOf(InterruptedException.class);
                }
                assertThat(table.held()).isEmpty();
            }
        }
    }

    @Nested
    class Holders {

        private LeaseRequest request(String holder, int core, Lease kept) {
            return new LeaseRequest(holder, List.of(CoreRequest.exactly(core))).within(List.of(kept));
        }

        @Test
        void areServedBeforeEarlierWaitersWithoutCores() throws Exception {
            // given
            Lease kept = lease("FirstTest", CoreRequest.exactly(0));
            Lease wanted = lease("OtherTest", CoreRequest.exactly(1));
            WaiterFixture nothing = new WaiterFixture("ThirdTest", CoreRequest.exactly(1));
            WaiterFixture holder = new WaiterFixture(request("FirstTest.test()", 1, kept));

            // when
            wanted.close();

            // then
            assertThat(indices(holder.get())).containsExactly(1);
            assertThat(nothing.waits()).isTrue();
        }

        @Test
        void doNotWaitBehindWaitersWithoutCores() throws Exception {
            // given
            Lease kept = lease("FirstTest", CoreRequest.exactly(0));
            WaiterFixture nothing = new WaiterFixture("ThirdTest", CoreRequest.inARow(4));

            // when
            Lease own = table.lease(request("FirstTest.test()", 1, kept), Duration.ZERO);

            // then
            assertThat(indices(own)).containsExactly(1);
            assertThat(nothing.waits()).isTrue();
        }

        @Test
        void failAtOnceOnDeadlockWithEarlierHolder() throws Exception {
            // given
            Lease first = lease("FirstTest", CoreRequest.exactly(0));
            Lease second = lease("SecondTest", CoreRequest.exactly(1));
            WaiterFixture earlier = new WaiterFixture(request("FirstTest.test()", 1, first));

            // then
            assertThatExceptionOfType(LeaseDeadlockException.class)
                    .isThrownBy(() -> table.lease(request("SecondTest.test()", 0, second), LONG))
                    .withMessage(String.format(
                            "SecondTest.test() requests core 0 while it keeps cores that others wait for. They"
                                    + " keep the cores that it waits for.%n"
                                    + "Waiting for each other:%n"
                                    + "  FirstTest.test(): keeps neuron0/neuron_core0 and requests core 1"
                                    + " (pid %1$s, this JVM, thread thread of FirstTest.test())%n"
                                    + "  SecondTest.test(): keeps neuron0/neuron_core1 and requests core 0 (pid %1$s, this JVM, thread %2$s)%n"
                                    + "Lease everything for the class, or everything for the test, so that no test keeps"
                                    + " cores while it waits.",
                            ProcessHandle.current().pid(),
                            Thread.currentThread().getName()));
            assertThat(earlier.waits()).isTrue();

            // when
            second.close();

            // then
            assertThat(indices(earlier.get())).containsExactly(1);
        }

        @Test
        void waitForHolderThatWaitsWithoutDeadlock() throws Exception {
            // given
            Lease first = lease("FirstTest", CoreRequest.exactly(0));
            Lease second = lease("SecondTest", CoreRequest.exactly(1));
            Lease other = lease("OtherTest", CoreRequest.exactly(2));
            WaiterFixture earlier = new WaiterFixture(request("FirstTest.test()", 2, first));
            WaiterFixture later = new WaiterFixture(request("SecondTest.test()", 0, second));
            assertThat(later.waits()).isTrue();

            // when
            other.close();
            earlier.get().close();
            first.close();

            // then
            assertThat(indices(later.get())).containsExactly(0);
        }

        @Test
        void waitForHolderThatCanStillBeServed() throws Exception {
            // given
            Lease first = lease("FirstTest", CoreRequest.exactly(0));
            Lease second = lease("SecondTest", CoreRequest.exactly(1));
            Lease other = lease("OtherTest", CoreRequest.exactly(2));
            WaiterFixture earlier = new WaiterFixture(request("FirstTest.test()", 1, first));
            WaiterFixture later = new WaiterFixture(request("SecondTest.test()", 2, second));

            // when
            other.close();

            // then
            assertThat(indices(later.get())).containsExactly(2);
            assertThat(earlier.waits()).isTrue();

            // when
            second.close();

            // then
            assertThat(indices(earlier.get())).containsExactly(1);
        }
    }

    @Nested
    class Avoiding {

        private LeaseRequest anyButDevice0() {
            return new LeaseRequest("test", List.of(CoreRequest.any()))
                    .avoiding(host().cores().subList(0, 2));
        }

        @Test
        void allCoresIsRefusedAtOnce() {
            // given
            LeaseRequest request = new LeaseRequest("test", List.of(CoreRequest.any())).avoiding(host().cores());

            // then
            assertThatExceptionOfType(ImpossibleRequestException.class)
                    .isThrownBy(() -> table.lease(request, LONG))
                    .withMessageStartingWith("test requests 1 core other than 0, 1, 2, 3. No other cores fit: ");
        }

        @Test
        void neverGrantsAvoidedCores() throws Exception {
            // when
            Lease lease = table.lease(anyButDevice0(), Duration.ZERO);
            Lease next = table.lease(anyButDevice0(), Duration.ZERO);

            // then
            assertThat(indices(lease)).containsExactly(2);
            assertThat(indices(next)).containsExactly(3);
            assertThatExceptionOfType(LeaseTimeoutException.class)
                    .isThrownBy(() -> table.lease(anyButDevice0(), Duration.ofMillis(20)))
                    .withMessageContaining("It requests 1 core other than 0, 1; 2 of 4 cores are free.");
        }
    }

    @Nested
    class PartOfTheHost {

        @BeforeEach
        void sharesOutTwoCores() {
            reopen(options -> options.only(host().cores().subList(1, 3)));
        }

        @Test
        void grantsOnlyCoresOfPart() throws Exception {
            // when
            Lease first = lease("first", CoreRequest.any());
            Lease second = lease("second", CoreRequest.any());

            // then
            assertThat(indices(first)).containsExactly(1);
            assertThat(indices(second)).containsExactly(2);
            assertThatExceptionOfType(LeaseTimeoutException.class)
                    .isThrownBy(() -> lease("third", CoreRequest.any()))
                    .withMessageContaining("It requests 1 core; 0 of 2 cores are free.");
        }

        @Test
        void refusesRequestLargerThanPart() {
            // given
            LeaseRequest more = new LeaseRequest("test", List.of(CoreRequest.inARow(3)));

            // then
            assertThatExceptionOfType(ImpossibleRequestException.class)
                    .isThrownBy(() -> table.check(more, List.of()))
                    .withMessage(
                            "test requests 3 cores in a row, but here there are only neuron0/neuron_core1, neuron1/neuron_core0.");
        }
    }

    @Nested
    class Timeouts {

        @Test
        void nameHoldersAndEarlierWaiters() throws Exception {
            // given
            Lease mine = lease("FirstTest.low()", CoreRequest.any());
            WaiterFixture holding = new WaiterFixture("SecondTest.high()", LONG, CoreRequest.exactly(2, 3));
            Lease theirs = holding.get();
            new WaiterFixture("ThirdTest.whole()", CoreRequest.inARow(4));
            long pid = ProcessHandle.current().pid();

            // then
            assertThatExceptionOfType(LeaseTimeoutException.class)
                    .isThrownBy(() -> table.lease(
                            new LeaseRequest("FourthTest.pair()", List.of(CoreRequest.inARow(2))),
                            Duration.ofMillis(20)))
                    .withMessage(String.format(
                            "FourthTest.pair() got no cores within 0.02s. It requests 2 cores in a row; 1 of 4 cores are free.%n"
                                    + "Held:%n"
                                    + "  neuron0/neuron_core0 by FirstTest.low() (this thread, since %s)%n"
                                    + "  cores 2-3 by SecondTest.high()"
                                    + " (pid %s, this JVM, thread thread of SecondTest.high(), since %s)%n"
                                    + "Waiting before it:%n"
                                    + "  ThirdTest.whole(): requests 4 cores in a row (pid %s, this JVM, thread thread of ThirdTest.whole())%n"
                                    + "Allow a longer wait, run fewer tests at a time, or find out why a holder does not end.",
                            mine.since().truncatedTo(ChronoUnit.SECONDS),
                            pid,
                            theirs.since().truncatedTo(ChronoUnit.SECONDS),
                            pid))
                    .satisfies(thrown -> assertThat(thrown.waited()).isGreaterThanOrEqualTo(Duration.ofMillis(20)));
        }

        @Test
        void leaveNothingBehind() throws Exception {
            // given
            Lease all = lease("all", CoreRequest.inARow(4));
            assertThatExceptionOfType(LeaseTimeoutException.class).isThrownBy(() -> lease("late", CoreRequest.any()));

            // when
            all.close();

            // then
            assertThat(table.held()).isEmpty();
            assertThat(indices(lease("next", CoreRequest.inARow(4)))).containsExactly(0, 1, 2, 3);
        }
    }

    /** An observer that stores its notifications as text. */
    static final class ToldFixture implements LeaseObserver {

        final List<String> told = new CopyOnWriteArrayList<>();

        @Override
        public void quarantined(Quarantine quarantine) {
            told.add("quarantined " + quarantine.core() + ": " + quarantine.reason());
        }

        @Override
        public void cleared(Quarantine quarantine, String how) {
            told.add("cleared " + quarantine.core() + ": " + how);
        }

        @Override
        public void warned(String notice) {
            told.add("warned " + notice);
        }

        @Override
        public void waiting(String notice) {
            told.add("waiting " + notice);
        }
    }

    /** A slow health check that finds the core healthy. */
    static final class SlowCheckFixture implements HealthCheck {

        final CountDownLatch began = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);

        @Override
        public Optional<String> trouble(NeuronCore core, Quarantine why) {
            began.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            }
            return Optional.empty();
        }
    }

    /** Replaces the table by one with other options. */
    void reopen(Consumer<LeaseTable.Builder> options) {
        table.close();
        LeaseTable.Builder builder = kept(LeaseTable.builder(host()));
        options.accept(builder);
        table = builder.open();
    }

    @Nested
    class Quarantines {

        private final ToldFixture observer = new ToldFixture();

        /** Leases core 0, puts it in quarantine and returns it. */
        private void quarantineCore0() throws Exception {
            try (Lease lease = lease("BadTest.bad()", CoreRequest.exactly(0))) {
                lease.quarantine(lease.cores(), Until.RESET, "status 1202");
            }
        }

        @Test
        void keepCoresFromEverybody() throws Exception {
            // when
            quarantineCore0();

            // then
            assertThat(indices(lease("next", CoreRequest.any()))).containsExactly(1);
            assertThat(table.quarantined()).singleElement().satisfies(each -> {
                assertThat(each.core()).isEqualTo("neuron0/neuron_core0");
                assertThat(each.reason())
                        .isEqualTo("status 1202; reset the device (neuron0, serial number not readable)");
                assertThat(each.holder()).isEqualTo("BadTest.bad()");
                assertThat(each.pid()).isEqualTo(ProcessHandle.current().pid());
                assertThat(each.until()).isEqualTo(Until.RESET);
            });
        }

        @Test
        void failRequestsAtOnceThatNeedTheirCores() throws Exception {
            // given
            quarantineCore0();

            // then
            assertThatExceptionOfType(CoresQuarantinedException.class)
                    .isThrownBy(() ->
                            table.lease(new LeaseRequest("next", List.of(CoreRequest.inARow(4))), Duration.ofDays(1)))
                    .withMessageStartingWith(String.format(
                            "next requests 4 cores in a row, which this host can no longer provide.%n"
                                    + "In quarantine:%n"
                                    + "  neuron0/neuron_core0: status 1202; reset the device (neuron0, serial number not readable) (BadTest.bad(), pid %s, since ",
                            ProcessHandle.current().pid()))
                    .satisfies(thrown -> assertThat(thrown.quarantines()).isEqualTo(table.quarantined()));
        }

        @Test
        void failWaitingRequests() throws Exception {
            // given
            Lease bad = lease("BadTest.bad()", CoreRequest.exactly(0));
            WaiterFixture waiter = new WaiterFixture("waiter", CoreRequest.exactly(0));

            // when
            bad.quarantine(bad.cores(), Until.RESET, "status 1202");
            bad.close();

            // then
            assertThatThrownBy(waiter::get).hasCauseInstanceOf(CoresQuarantinedException.class);
        }

        @Test
        void endWhenHealthCheckPassesOnRelease() throws Exception {
            // given
            reopen(options -> options.observer(observer).healthCheck((core, why) -> Optional.empty()));

            // when
            quarantineCore0();

            // then
            assertThat(table.quarantined()).isEmpty();
            assertThat(indices(lease("next", CoreRequest.any()))).containsExactly(0);
            assertThat(observer.told)
                    .containsExactly(
                            "quarantined neuron0/neuron_core0: status 1202; reset the device (neuron0, serial number not readable)",
                            "cleared neuron0/neuron_core0: the health check found the core healthy");
        }

        @Test
        void lastWhenTheHealthCheckFindsTrouble() throws Exception {
            // given
            reopen(options -> options.healthCheck((core, why) -> Optional.of(core.name() + " has ECC errors")));

            // when
            quarantineCore0();

            // then
            assertThatExceptionOfType(CoresQuarantinedException.class)
                    .isThrownBy(() -> lease("next", CoreRequest.exactly(0)))
                    .withMessageContaining(
                            "status 1202; reset the device (neuron0, serial number not readable); the health check finds: neuron0/neuron_core0 has ECC errors");
        }

        @Test
        void lastWhenTheHealthCheckFails() throws Exception {
            // given
            reopen(options -> options.healthCheck((core, why) -> {
                throw new IllegalStateException("out of order");
            }));

            // when
            quarantineCore0();

            // then
            assertThatExceptionOfType(CoresQuarantinedException.class)
                    .isThrownBy(() -> lease("next", CoreRequest.exactly(0)))
                    .withMessageContaining("the health check failed: java.lang.IllegalStateException: out of order");
        }

        /** Leases core 0, makes it suspect and returns it. */
        private Lease suspectCore0(String test) throws Exception {
            try (Lease lease = lease(test + "()", CoreRequest.exactly(0))) {
                lease.quarantine(lease.cores(), Until.WELL, "status 5", test);
                return lease;
            }
        }

        @Test
        void lastOnlyWhenSecondTestSuspectsSameCore() throws Exception {
            // given a check that resets nothing
            reopen(options -> options.observer(observer)
                    .healthCheck((core, why) -> Optional.of("not reset").filter(no -> why.until() == Until.RESET)));

            // when
            suspectCore0("one");
            suspectCore0("one");
            assertThat(table.quarantined()).isEmpty();
            suspectCore0("two");

            // then
            assertThat(table.quarantined())
                    .singleElement()
                    .extracting(Quarantine::reason)
                    .asString()
                    .startsWith("status 5; the core was suspect before (one(): status 5); reset the device");
            assertThat(observer.told).contains("cleared neuron0/neuron_core0: health and error counts are as before");
        }

        @Test
        void endForASuspectWhenTheKernelIsToBlame() throws Exception {
            // given
            reopen(options -> options.observer(observer).healthCheck((core, why) -> Optional.of("it moves")));
            Lease lease = suspectCore0("one");
            assertThat(table.quarantined()).hasSize(1);

            // when
            lease.acquit(lease.cores(), "status 5", "the kernel is to blame");

            // then
            assertThat(table.quarantined()).isEmpty();
            assertThat(observer.told).contains("cleared neuron0/neuron_core0: the kernel is to blame");

            // when
            lease.close();
            suspectCore0("two");

            // then
            assertThat(table.quarantined())
                    .as("suspect for the first time")
                    .extracting(Quarantine::until)
                    .containsExactly(Until.WELL);
        }

        @Test
        void remainUntilResetAndNameKernelAsCause() throws Exception {
            // given
            reopen(options -> options.observer(observer));
            Lease lease = lease("BadTest.bad()", CoreRequest.exactly(0));
            lease.quarantine(lease.cores(), Until.RESET, "status 1203");

            // when
            lease.acquit(lease.cores(), "status 1203", "the kernel is to blame");

            // then
            assertThat(table.quarantined())
                    .singleElement()
                    .extracting(Quarantine::reason)
                    .asString()
                    .startsWith("status 1203; the kernel is to blame; reset the device");
            assertThat(observer.told)
                    .anySatisfy(told -> assertThat(told)
                            .startsWith("quarantined neuron0/neuron_core0: status 1203; the kernel is to blame"));
            lease.close();
        }

        @Test
        void areWaitedForWhileTheHealthCheckRuns() throws Exception {
            // given
            SlowCheckFixture check = new SlowCheckFixture();
            reopen(options -> options.healthCheck(check));
            Thread closing = giveBackCore0(Until.RESET);
            check.began.await();

            // when
            WaiterFixture waiter = new WaiterFixture("next", CoreRequest.exactly(0));

            // then
            assertThat(waiter.waits()).isTrue();
            check.mayEnd.countDown();
            assertThat(indices(waiter.get())).containsExactly(0);
            closing.join();
        }

        @Test
        void blockWholeDeviceWhileHardwareIsChecked() throws Exception {
            // given
            SlowCheckFixture check = new SlowCheckFixture();
            reopen(options -> options.healthCheck(check));
            Thread closing = giveBackCore0(Until.RESET);
            check.began.await();

            // then
            assertThat(indices(lease("elsewhere", CoreRequest.any()))).containsExactly(2);

            // when
            WaiterFixture waiter = new WaiterFixture("next", CoreRequest.exactly(1));

            // then
            assertThat(waiter.waits()).isTrue();
            check.mayEnd.countDown();
            assertThat(indices(waiter.get())).containsExactly(1);
            closing.join();
        }

        @Test
        void blockOnlyCoreWhenCheckNeedsNoReset() throws Exception {
            // given
            SlowCheckFixture check = new SlowCheckFixture();
            reopen(options -> options.healthCheck(check));
            Thread closing = giveBackCore0(Until.IDLE);
            check.began.await();

            // then
            assertThat(indices(lease("next", CoreRequest.any()))).containsExactly(1);
            check.mayEnd.countDown();
            closing.join();
        }

        /** Quarantines core 0 and returns it, on a thread that then runs the health check. */
        private Thread giveBackCore0(Until until) throws Exception {
            Lease lease = lease("BadTest.bad()", CoreRequest.exactly(0));
            lease.quarantine(lease.cores(), until, "status 1202");
            Thread closing = new Thread(lease::close);
            closing.start();
            return closing;
        }

        @Test
        void lastWhileProcessOutlivesLease() throws Exception {
            // given
            reopen(options -> options.observer(observer));
            Process child = new ProcessBuilder("sleep", "1000").start();
            try (Lease lease = lease("test", CoreRequest.exactly(0))) {
                lease.startedProcess(child.toHandle());
            }

            // then
            assertThat(table.quarantined()).singleElement().satisfies(each -> {
                assertThat(each.until()).isEqualTo(Until.PROCESSES_END);
                assertThat(each.reason())
                        .isEqualTo("the lease was released while its process " + child.pid() + " was alive");
            });
            WaiterFixture waiter = new WaiterFixture("next", CoreRequest.exactly(0));

            // when
            child.destroyForcibly();

            // then
            assertThat(indices(waiter.get())).containsExactly(0);
            await().untilAsserted(() ->
                    assertThat(observer.told).contains("cleared neuron0/neuron_core0: its processes have ended"));
        }

        @Test
        void areNotCreatedForProcessesReportedAsEnded() throws Exception {
            // given
            Process child = new ProcessBuilder("sleep", "1000").start();
            try (Lease lease = lease("test", CoreRequest.exactly(0))) {
                lease.startedProcess(child.toHandle());

                // when
                lease.endedProcess(child.toHandle());
            } finally {
                child.destroyForcibly();
            }

            // then
            assertThat(table.quarantined()).isEmpty();
        }

        @Test
        void acceptOnlyCoresOfOwnLease() throws Exception {
            // given
            Lease lease = lease("test", CoreRequest.exactly(0));

            // then
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lease.quarantine(host().cores().subList(0, 2), Until.RESET, "status 1202"));
        }
    }

    @Nested
    class ConcurrentUsers {

        @Test
        void areNamedWhenOnSameDevice() throws Exception {
            // given
            try (Lease before = lease("before", CoreRequest.exactly(1))) {
                assertThat(before.neighbours()).isEmpty();
            }
            Lease mine = lease("mine", CoreRequest.exactly(0));
            lease("elsewhere", CoreRequest.exactly(2));

            // when
            lease("ended", CoreRequest.exactly(1)).close();
            Lease present = lease("present", CoreRequest.exactly(1));

            // then
            String pid = " (pid " + ProcessHandle.current().pid() + ") on neuron0/neuron_core1";
            assertThat(mine.neighbours()).containsExactly("ended" + pid, "present" + pid);
            assertThat(present.neighbours())
                    .containsExactly("mine (pid " + ProcessHandle.current().pid() + ") on neuron0/neuron_core0");

            // when
            mine.close();
            present.close();

            // then
            assertThat(mine.neighbours()).containsExactly("ended" + pid, "present" + pid);
        }
    }

    @Nested
    class LeasesWithinOthers {

        @Test
        void areNoNeighbours() throws Exception {
            // given
            Lease outer = lease("FooTest", CoreRequest.exactly(0));
            LeaseRequest request = new LeaseRequest("FooTest.bar()", List.of(CoreRequest.exactly(1)));

            // when
            Lease inner = table.lease(request.within(List.of(outer)), Duration.ZERO);

            // then
            assertThat(outer.neighbours()).isEmpty();
            assertThat(inner.neighbours()).isEmpty();

            // when
            inner.close();

            // then
            assertThat(outer.neighbours()).isEmpty();
            assertThat(inner.neighbours()).isEmpty();
        }
    }

    @Nested
    class OutsideOwners {

        private final ToldFixture observer = new ToldFixture();

        /** Lets a process open device 0 that does not show its parents. */
        private void openDevice0() {
            new HostFixture(root).link("proc/77/fd/5", "/dev/neuron0").file("proc/77/comm", "python3\n");
        }

        @Test
        void blockLeasesOfTheirDevices() throws Exception {
            // given
            openDevice0();

            // then
            assertThat(indices(lease("test", CoreRequest.any()))).containsExactly(2);
            assertThatExceptionOfType(LeaseTimeoutException.class)
                    .isThrownBy(() -> lease("late", CoreRequest.exactly(0)))
                    .withMessageContaining(
                            String.format("Open in processes that have no lease:%n  neuron0: python3 (pid 77)%n"));
        }

        @Test
        void areWaitedFor() throws Exception {
            // given
            openDevice0();
            WaiterFixture waiter = new WaiterFixture("test", CoreRequest.exactly(0));

            // when
            Files.delete(root.resolve("proc/77/fd/5"));

            // then
            assertThat(indices(waiter.get())).containsExactly(0);
        }

        @Test
        void causeWarningByPolicy() throws Exception {
            // given
            openDevice0();
            reopen(options -> options.otherOwners(OtherOwnersPolicy.WARN).observer(observer));

            // when
            Lease lease = lease("test", CoreRequest.any());

            // then
            assertThat(indices(lease)).containsExactly(0);
            assertThat(observer.told)
                    .containsExactly("warned test got cores of neuron0 although it is open in python3 (pid 77),"
                            + " which has no lease.");
        }

        @Test
        void areIgnoredByPolicy() throws Exception {
            // given
            openDevice0();
            reopen(options -> options.otherOwners(OtherOwnersPolicy.IGNORE).observer(observer));

            // then
            assertThat(indices(lease("test", CoreRequest.any()))).containsExactly(0);
            assertThat(observer.told).isEmpty();
        }

        @Test
        void countAsHolderWhenAncestryIsUnknown() throws Exception {
            // given
            lease("holder", CoreRequest.exactly(0));
            openDevice0();

            // then
            assertThat(indices(lease("test", CoreRequest.exactly(1)))).containsExactly(1);
        }

        @Test
        void areNotDescendantsOfMembers() throws Exception {
            // given a grandchild of this JVM
            ProcessIdentity self = new ProcessTable().self();
            openDevice0();
            stat(77, 76, 1);
            stat(76, self.pid(), 1);
            stat(self.pid(), 1, self.startTicks());

            // then
            assertThat(indices(lease("test", CoreRequest.any()))).containsExactly(0);
        }

        @Test
        void areRecognizedByAncestry() throws Exception {
            // given a process outside the table, and a holder on its device
            openDevice0();
            stat(77, 1, 1);
            lease("other", CoreRequest.exactly(2));

            // then
            assertThatThrownBy(() -> lease("test", CoreRequest.exactly(0))).isInstanceOf(LeaseTimeoutException.class);
        }

        @Test
        void countAsNeighboursWhenOpenedBeforeLease() throws Exception {
            // given
            openDevice0();
            reopen(options -> options.otherOwners(OtherOwnersPolicy.WARN));
            Lease lease = lease("test", CoreRequest.exactly(0));

            // then
            assertThat(lease.neighbours()).containsExactly("python3 (pid 77) on neuron0");
            assertThat(table.unleased(lease.cores())).isEmpty();
        }

        @Test
        void countAsOwnProcessesWhenOpenedAfterLease() throws Exception {
            // given
            Lease first = lease("first", CoreRequest.exactly(0));
            Lease second = lease("second", CoreRequest.exactly(2));
            openDevice0();

            // then
            assertThat(table.unleased(first.cores())).isEqualTo(Map.of(0, List.of("python3 (pid 77)")));
            assertThat(table.unleased(second.cores())).isEmpty();
        }

        private void stat(long pid, long parent, long started) {
            new HostFixture(root)
                    .file(
                            "proc/" + pid + "/stat",
                            pid + " (a (b) c) S " + parent + " 0".repeat(17) + " " + started + " 0 0\n");
        }
    }

    @Nested
    class Closing {

        @Test
        void releasesLeasesOnlyOnce() throws Exception {
            // given
            Lease lease = lease("test", CoreRequest.any());

            // when
            table.close();
            table.close();
            lease.close();

            // then
            assertThat(table.held()).isEmpty();
            assertThatThrownBy(() -> lease("late", CoreRequest.any()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the lease table is closed");
        }

        @Test
        void endsWaiting() throws Exception {
            // given
            lease("test", CoreRequest.inARow(4));
            WaiterFixture waiter = new WaiterFixture("waiter", CoreRequest.any());

            // when
            table.close();

            // then
            assertThatThrownBy(waiter::get)
                    .hasRootCauseMessage("waiter waited for cores when its lease table was closed");
        }
    }
}
