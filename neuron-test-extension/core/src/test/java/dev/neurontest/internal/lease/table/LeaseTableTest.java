package dev.neurontest.internal.lease.table;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.configuration.OtherOwnersPolicy;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.CoresQuarantinedException;
import dev.neurontest.internal.lease.DeadHolder;
import dev.neurontest.internal.lease.HealthCheck;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseObserver;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.store.CoreSlots;
import dev.neurontest.internal.lease.store.LeaseOverview;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.lease.store.TableFixture;
import dev.neurontest.internal.process.ProcessTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of a table in a directory from the point of view of its JVM: the leftovers of other JVMs, and an unusable
 * directory.
 */
class LeaseTableTest {

    private static final String CORE_0 = "neuron0/neuron_core0";
    private static final String CORE_2 = "neuron1/neuron_core0";

    @TempDir
    Path root;

    @TempDir
    Path parent;

    private final ProcessTable processes = new ProcessTable();
    private final List<DeadHolder> dead = new CopyOnWriteArrayList<>();
    private final List<String> lookedAt = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final TellingFixture observer = new TellingFixture();
    private NeuronHost host;
    private LeaseTable table;

    /** An observer that stores its notifications and runs an action at the next warning. */
    private final class TellingFixture implements LeaseObserver {

        private final List<String> told = new CopyOnWriteArrayList<>();
        private Runnable then = () -> {};

        @Override
        public void holderDied(DeadHolder holder) {
            dead.add(holder);
        }

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
            Runnable once = then;
            then = () -> {};
            once.run();
        }
    }

    @BeforeEach
    void fourCores() {
        host = new HostFixture(root).devices(HostFixture.Kind.TRN1, 0, 1).host();
        table = open(options -> {});
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private Path directory() {
        return parent.resolve("leases");
    }

    private LeaseTable open(Consumer<LeaseTable.Builder> options) {
        LeaseTable.Builder builder =
                LeaseTable.builder(host).directory(directory()).observer(observer);
        options.accept(builder);
        LeaseTable opened = builder.open();
        open.add(opened);
        return opened;
    }

    private void reopen(Consumer<LeaseTable.Builder> options) {
        table.close();
        table = open(options);
    }

    private Lease lease(String holder, CoreRequest request) throws InterruptedException {
        return table.lease(new LeaseRequest(holder, List.of(request)), Duration.ZERO);
    }

    private LeaseOverview overview() {
        return LeaseOverview.of(directory()).orElseThrow();
    }

    /** Joins the table as another JVM that stays. */
    private LeaseStore anotherJvm() {
        LeaseStore another = LeaseStore.in(directory(), null, processes, warning -> {});
        open.add(another);
        return another;
    }

    /** Runs a step as a JVM that ends without returning its cores. */
    private void asADeadJvm(Consumer<TableFixture> step) {
        try (LeaseStore store = LeaseStore.in(directory(), null, processes, warning -> {})) {
            step.accept(new TableFixture(store));
        }
    }

    private void leaveADeadHolder() {
        asADeadJvm(jvm -> jvm.grant("DeadTest", CORE_0));
    }

    /** Creates a quarantined core of a JVM that has left the table. */
    private void leaveAnIllCore() {
        asADeadJvm(jvm -> {
            LeaseState.Claim claim = jvm.grant("DeadTest", CORE_0);
            jvm.bar(claim, Until.RESET, CORE_0);
            jvm.release(claim);
        });
    }

    private void leaveADeadHolderOfAnIllCore(Until until) {
        table.close();
        asADeadJvm(jvm -> jvm.bar(jvm.grant("DeadTest", CORE_0), until, CORE_0));
    }

    /** Makes the table unusable until it is put back. */
    private void takeAway() {
        move("leases-1", "taken away");
    }

    private void putBack() {
        move("taken away", "leases-1");
    }

    private void move(String from, String to) {
        try {
            Files.move(directory().resolve(from), directory().resolve(to));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private List<String> membersOnDisk() throws IOException {
        try (Stream<Path> files = Files.list(directory())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("jvm-"))
                    .toList();
        }
    }

    private HealthCheck check(boolean heals, Optional<String> trouble) {
        return new HealthCheck() {
            @Override
            public Optional<String> trouble(NeuronCore core, Quarantine why) {
                lookedAt.add(core.name());
                return trouble;
            }

            @Override
            public boolean heals() {
                return heals;
            }
        };
    }

    /** Lets a process open device 0 that does not show its parents. */
    private Path openDevice0() {
        new HostFixture(root).link("proc/77/fd/5", "/dev/neuron0").file("proc/77/comm", "python3\n");
        return root.resolve("proc/77/fd/5");
    }

    @Nested
    class Opening {

        @Test
        void releasesCoresOfDeadJvms() {
            // given
            leaveADeadHolder();

            // when
            reopen(options -> {});

            // then
            assertThat(dead).extracting(DeadHolder::holder).containsExactly("DeadTest");
            assertThat(overview().held()).isEmpty();
        }

        @Test
        void checksIllCoresWhenCheckCanHeal() {
            // given
            leaveADeadHolderOfAnIllCore(Until.RESET);

            // when
            reopen(options -> options.healthCheck(check(true, Optional.empty())));

            // then
            assertThat(lookedAt).containsExactly(CORE_0);
            assertThat(overview().quarantines()).isEmpty();
        }

        @Test
        void skipsCheckOfIllCoresThatItCannotHeal() {
            // given
            leaveADeadHolderOfAnIllCore(Until.RESET);

            // when
            reopen(options -> options.healthCheck(check(false, Optional.empty())));

            // then
            assertThat(lookedAt).isEmpty();
            assertThat(observer.told)
                    .containsExactly(
                            "quarantined neuron0/neuron_core0: status 1202; reset the device (neuron0, serial number not readable)");
        }

        @Test
        void checksCoreUsedByDeadJvmWithoutHealing() {
            // given
            leaveADeadHolderOfAnIllCore(Until.IDLE);

            // when
            reopen(options -> options.healthCheck(check(false, Optional.empty())));

            // then
            assertThat(lookedAt).containsExactly(CORE_0);
            assertThat(overview().quarantines()).isEmpty();
        }

        @Test
        void leavesNoMemberBehindWhenItFails() throws IOException {
            // given
            table.close();
            Files.write(directory().resolve("leases-1"), new byte[100]);
            Files.writeString(directory().resolve("leases-1"), "rubbish, rubbish");

            // then
            assertThatExceptionOfType(LeaseTableException.class).isThrownBy(() -> open(options -> {}));
            assertThat(membersOnDisk()).isEmpty();
        }
    }

    @Nested
    class Closing {

        @Test
        void releasesEverythingAndLeavesTable() throws Exception {
            // given
            lease("test", CoreRequest.any());

            // when
            table.close();

            // then
            assertThat(table.held()).isEmpty();
            assertThat(overview().held()).isEmpty();
            assertThat(overview().jvms()).isZero();
            assertThat(membersOnDisk()).isEmpty();
        }

        @Test
        void endsItsLeases() throws Exception {
            // given
            Lease lease = lease("test", CoreRequest.exactly(0));
            table.close();

            // when
            lease.startedProcess(ProcessHandle.current());
            lease.endedProcess(ProcessHandle.current());
            lease.quarantine(lease.cores(), Until.RESET, "status 1202");
            lease.close();
            table.checkAgain();

            // then
            assertThat(lease.doubt()).isEmpty();
            assertThat(overview().quarantines()).isEmpty();
            assertThat(observer.told).isEmpty();
        }

        @Test
        void discardsHealthCheckInProgress() throws Exception {
            // given a table that is closed during its health check
            reopen(options -> options.healthCheck((core, why) -> {
                table.close();
                return Optional.empty();
            }));
            Lease lease = lease("test", CoreRequest.exactly(0));
            lease.quarantine(lease.cores(), Until.RESET, "status 1202");

            // when
            lease.close();

            // then
            assertThat(overview().quarantines()).hasSize(1);
            assertThat(observer.told)
                    .containsExactly(
                            "quarantined neuron0/neuron_core0: status 1202; reset the device (neuron0, serial number not readable)");
        }
    }

    @Nested
    class Removal {

        @Test
        void marksLeaseAsDoubtfulUntilRestored() throws Exception {
            // given
            Lease lease = lease("test", CoreRequest.exactly(0));
            assertThat(lease.doubt()).isEmpty();

            // when
            takeAway();

            // then
            String message = "The lease table in " + directory().toRealPath() + " no longer contains this JVM";
            assertThat(lease.doubt()).hasValueSatisfying(why -> assertThat(why).startsWith(message));
            assertThat(lease.neighbours())
                    .singleElement()
                    .satisfies(line -> assertThat(line).startsWith("a process with an unknown name: " + message));
            assertThat(table.outsiders(lease.cores()))
                    .singleElement()
                    .satisfies(line -> assertThat(line).startsWith("a process with an unknown name: " + message));
            openDevice0();
            assertThat(table.unleased(lease.cores())).isEmpty();

            // when
            putBack();

            // then
            assertThat(lease.doubt()).isEmpty();
            assertThat(lease.neighbours()).isEmpty();
        }

        @Test
        void doesNotPreventReleaseOfLease() throws Exception {
            // given
            Lease lease = lease("test", CoreRequest.any());
            takeAway();

            // when
            lease.close();
            putBack();

            // then
            assertThat(overview().held()).isEmpty();
            assertThat(observer.told).isEmpty();
        }
    }

    @Nested
    class Leases {

        @Test
        void matchClaimInTable() throws Exception {
            // given
            long moment = table.moment();

            // when
            Lease lease = lease("test", CoreRequest.exactly(2, 0));

            // then
            LeaseState.Claim claim = anotherJvm().state().claims().get(0);
            assertThat(lease.number()).isEqualTo(claim.number()).isPositive();
            assertThat(lease.since()).isEqualTo(claim.since());
            assertThat(lease.thread()).isEqualTo(Thread.currentThread().getName());
            assertThat(lease.granted()).hasSize(1);
            assertThat(lease.number()).isGreaterThan(moment);
            assertThat(lease.isOf(table)).isTrue();
            assertThat(lease.isOf("another table")).isFalse();
        }

        @Test
        void areDoubtfulWhereTheTableLostThem() throws Exception {
            // given
            Lease lease = lease("test", CoreRequest.exactly(0));

            // when
            LeaseStore other = anotherJvm();
            new TableFixture(other).release(other.state().claims().get(0));

            // then
            assertThat(lease.doubt()).contains("The lease table no longer contains this lease.");
            assertThat(lease.neighbours()).isEmpty();

            // when
            lease.close();

            // then
            assertThat(table.held()).isEmpty();
        }

        @Test
        void listOnlyNeighboursAfterMoment() throws Exception {
            // given
            Lease lease = lease("test", CoreRequest.exactly(0));
            lease("ended", CoreRequest.exactly(1)).close();

            // when
            long moment = lease.moment();

            // then
            assertThat(lease.neighbours()).hasSize(1);
            assertThat(lease.neighbours(moment)).isEmpty();

            // when
            lease.close();

            // then
            assertThat(lease.neighbours()).hasSize(1);
        }

        @Test
        void quarantineCoresOfLiveProcessesOnClose() throws Exception {
            // given
            Lease ended = lease("EndedTest", CoreRequest.exactly(0));
            ended.startedProcess(ProcessHandle.current());
            ended.endedProcess(ProcessHandle.current());
            Lease living = lease("LivingTest", CoreRequest.exactly(2));
            living.startedProcess(ProcessHandle.current());

            // when
            ended.close();
            living.close();

            // then
            assertThat(table.quarantined()).singleElement().satisfies(each -> {
                assertThat(each.core()).isEqualTo(CORE_2);
                assertThat(each.until()).isEqualTo(Until.PROCESSES_END);
            });
        }

        @Test
        void checkOnlyOwnIllCoresOnClose() throws Exception {
            // given
            leaveAnIllCore();
            reopen(options -> options.healthCheck(check(false, Optional.of("warm"))));

            // when
            Lease lease = lease("test", CoreRequest.exactly(2));
            lease.quarantine(lease.cores(), Until.RESET, "status 1202");
            lease.close();

            // then
            assertThat(lookedAt).containsExactly(CORE_2);
        }
    }

    @Nested
    class Requests {

        @Test
        void findDeadHoldersWithoutWaiting() throws Exception {
            // given
            leaveADeadHolder();

            // when the last check of this JVM is old enough
            await().ignoreException(LeaseTimeoutException.class)
                    .until(() -> lease("test", CoreRequest.exactly(0)).cores().size() == 1);

            // then
            assertThat(dead).hasSize(1);
        }

        @Test
        void ignoreDeadHoldersWhileCoresAreFree() throws Exception {
            // given a table that is due to check
            long opened = System.nanoTime();
            leaveADeadHolder();
            await().until(() -> System.nanoTime() - opened > LeaseWatch.HEAD_POLL.toNanos());

            // when
            lease("test", CoreRequest.exactly(2));

            // then
            assertThat(dead).isEmpty();
        }

        @Test
        void warnOfPassedOverJvmAheadInQueue() throws Exception {
            // given
            lease("holder", CoreRequest.exactly(0));
            LeaseStore another = anotherJvm();
            another.tickets().pass(new TableFixture(another).enqueue("OtherTest", "4 cores", 1), true);

            // when
            assertThatExceptionOfType(LeaseTimeoutException.class)
                    .isThrownBy(() -> lease("test", CoreRequest.exactly(0)));

            // then
            assertThat(observer.told)
                    .singleElement()
                    .satisfies(notice -> assertThat(notice)
                            .startsWith("warned JVM " + ProcessHandle.current().pid()
                                    + " does not respond and is passed over: OtherTest waits there for 4 cores."));
        }

        @Test
        void noticeEndOfOutsiderAtOnce() throws Exception {
            // given
            Path descriptor = openDevice0();
            assertThatExceptionOfType(LeaseTimeoutException.class)
                    .isThrownBy(() -> lease("early", CoreRequest.exactly(0)));

            // when
            Files.delete(descriptor);

            // then
            assertThat(lease("late", CoreRequest.exactly(0)).cores()).hasSize(1);
        }

        @Test
        void areWithdrawnWhenTheirTimeIsOver() throws Exception {
            // given behind a request of another JVM
            new TableFixture(anotherJvm()).enqueue("early", "4 cores", 1);

            // when
            assertThatExceptionOfType(LeaseTimeoutException.class)
                    .isThrownBy(() -> lease("late", CoreRequest.any()))
                    .withMessageStartingWith("late got no cores within 0s.");

            // then
            assertThat(overview().waiting())
                    .extracting(LeaseOverview.Waiting::holder)
                    .containsExactly("early");
        }

        @Test
        void areCheckedAgainstCoresOfTheirHolder() {
            // given
            List<NeuronCore> kept = host.cores().subList(0, 1);
            LeaseRequest another = new LeaseRequest("test", List.of(CoreRequest.exactly(1)));
            LeaseRequest same = new LeaseRequest("test", List.of(CoreRequest.exactly(0)));

            // then
            table.check(another, kept);
            assertThatExceptionOfType(ImpossibleRequestException.class)
                    .isThrownBy(() -> table.check(same, kept))
                    .withMessage("test requests core 0, which cannot be met while its class or its session holds"
                            + " neuron0/neuron_core0.");
        }

        @Test
        void areCheckedAgainstCoresOpenForLease() {
            // given
            reopen(options -> options.only(host.cores().subList(0, 1)));

            // then
            assertThatExceptionOfType(ImpossibleRequestException.class)
                    .isThrownBy(() -> table.check(new LeaseRequest("test", List.of(CoreRequest.exactly(1))), List.of()))
                    .withMessage("test requests core 1, but here there is only neuron0/neuron_core0.");
        }
    }

    @Nested
    class IllCores {

        @Test
        void areRefusedToTheirHolder() throws Exception {
            // given
            Lease lease = lease("FooTest", CoreRequest.inARow(2));
            table.requireWell("FooTest.bar()", lease.cores());

            // when
            lease.quarantine(lease.cores().subList(0, 1), Until.RESET, "status 1202");

            // then
            assertThatExceptionOfType(CoresQuarantinedException.class)
                    .isThrownBy(() -> table.requireWell("FooTest.bar()", lease.cores()))
                    .withMessageStartingWith("FooTest.bar() was to use cores that are now in quarantine.");
            table.requireWell("FooTest.baz()", lease.cores().subList(1, 2));
        }

        @Test
        void areRecheckedOnlyOnRequest() throws Exception {
            // given
            reopen(options -> options.healthCheck(check(true, Optional.of("warm"))));
            Lease lease = lease("test", CoreRequest.exactly(0));
            lease.quarantine(lease.cores(), Until.RESET, "status 1202");
            lease.close();
            assertThat(lookedAt).hasSize(1);

            // when
            table.checkAgain();

            // then
            assertThat(lookedAt).hasSize(2);
            assertThat(overview().quarantines()).hasSize(1);
        }

        @Test
        void areRefusedAtOnceWithHealthCheckResult() throws Exception {
            // given
            reopen(options -> options.healthCheck(check(true, Optional.of("warm"))));
            leaveAnIllCore();
            LeaseRequest request = new LeaseRequest("test", List.of(CoreRequest.exactly(0)));

            // then
            assertThatExceptionOfType(CoresQuarantinedException.class)
                    .isThrownBy(() -> table.lease(request, Duration.ofDays(1)))
                    .withMessageStartingWith("test requests core 0, which this host can no longer provide.")
                    .withMessageContaining(
                            "status 1202; reset the device (neuron0, serial number not readable); the health check finds: warm");
        }

        @Test
        void areReportedWhenOtherJvmsQuarantineAndClearThem() throws Exception {
            // given
            leaveAnIllCore();

            // when
            table.quarantined();
            table.quarantined();

            // then
            assertThat(observer.told)
                    .containsExactly(
                            "quarantined neuron0/neuron_core0: status 1202; reset the device (neuron0, serial number not readable)");

            // when
            LeaseStore other = anotherJvm();
            other.cores()
                    .write(
                            CoreSlots.slots(List.of(CORE_0)).get(0),
                            new CoreSlots.Content(null, List.of(), List.of(), List.of()));
            table.quarantined();
            table.quarantined();

            // then
            assertThat(observer.told)
                    .containsExactly(
                            "quarantined neuron0/neuron_core0: status 1202; reset the device (neuron0, serial number not readable)",
                            "cleared neuron0/neuron_core0: another JVM that shares the table ended it");
        }
    }

    @Nested
    class OutsideOwners {

        @Test
        void areNamedByTheirDevice() {
            // given
            openDevice0();

            // then
            assertThat(table.outsiders(host.cores())).containsExactly("python3 (pid 77) on neuron0");
            assertThat(table.outsiders(host.cores().subList(2, 4))).isEmpty();
        }

        @Test
        void areNotNamedWhenPolicyIsIgnore() {
            // given
            openDevice0();
            reopen(options -> options.otherOwners(OtherOwnersPolicy.IGNORE).only(host.cores()));

            // then
            assertThat(table.outsiders(host.cores())).isEmpty();
            assertThat(table.unleased(host.cores())).isEqualTo(Map.of(0, List.of("python3 (pid 77)")));
        }

        @Test
        void countAsNeighboursWhenOpenedBeforeLease() throws Exception {
            // given
            openDevice0();
            reopen(options -> options.otherOwners(OtherOwnersPolicy.WARN));

            // when
            Lease lease = lease("test", CoreRequest.exactly(0));

            // then
            assertThat(lease.neighbours()).containsExactly("python3 (pid 77) on neuron0");
            assertThat(table.unleased(host.cores())).isEmpty();
        }
    }
}
