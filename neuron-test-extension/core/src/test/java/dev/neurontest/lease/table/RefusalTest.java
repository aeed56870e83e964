package dev.neurontest.lease.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.lease.CoreRequest;
import dev.neurontest.lease.CoresQuarantinedException;
import dev.neurontest.lease.DeviceReading;
import dev.neurontest.lease.LeaseRequest;
import dev.neurontest.lease.LeaseTimeoutException;
import dev.neurontest.lease.Quarantine.Until;
import dev.neurontest.lease.store.TableState;
import dev.neurontest.process.ProcessIdentity;
import dev.neurontest.process.ProcessTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a test is told that got no cores, on a host that another JVM, which is stopped, shares. */
class RefusalTest {

    private static final long STOPPED = 4711;
    private static final String CORE_0 = "neuron0/neuron_core0";
    private static final String CORE_2 = "neuron1/neuron_core0";

    @TempDir
    Path root;

    private final ProcessTable processes = new ProcessTable(
            path -> (path.split("/")[0] + " (java) " + (path.startsWith("4711/") ? "T" : "S") + " 1" + " 0".repeat(17)
                            + " 1 0")
                    .getBytes(StandardCharsets.UTF_8),
            "me",
            "boot here");
    private final SharedStoreFixture store = new SharedStoreFixture();
    private final long self = store.self().number();
    private final long thisThread = Thread.currentThread().getId();
    private Optional<Path> place = Optional.empty();
    private Map<String, List<ProcessOwner>> outside = Map.of();
    private Map<Long, String> troubles = Map.of();
    private NeuronHost host;
    private TableState.Member stopped;

    @BeforeEach
    void shareWithAStoppedJvm() {
        host = new HostFixture(root).devices(HostFixture.Kind.TRN1, 0, 1).host();
        stopped = join(STOPPED);
    }

    private TableState.Member join(long pid) {
        return store.change(state ->
                state.join(new ProcessIdentity(pid, 1, "boot here", "me"), "token", "jvm-" + pid, Instant.EPOCH));
    }

    private Refusal refusal() {
        return new Refusal(store.state(), self, new HostCores(host, host.cores()), outside, troubles, place, processes);
    }

    private Waiter waiter() {
        return waiter(CoreRequest.inARow(4));
    }

    private Waiter waiter(CoreRequest wanted) {
        LeaseRequest request = new LeaseRequest("MyTest", List.of(wanted));
        Waiter waiter = new Waiter(Placement.of(host, request), new ReentrantLock().newCondition());
        waiter.ticket = enqueue(self, "MyTest", 1);
        return waiter;
    }

    private TableState.Ticket enqueue(long member, String holder, long thread) {
        return store.change(
                state -> state.enqueue(member, holder, "4 cores in a row", "thread " + thread, thread, List.of()));
    }

    private TableState.Claim grant(long member, String holder, long thread, String... cores) {
        TableState.Ticket ticket = enqueue(member, holder, thread);
        return store.change(state -> state.grant(ticket, List.of(cores), false, Instant.EPOCH));
    }

    private String timeout(Waiter waiter) {
        return refusal().timeout(waiter, Duration.ofMillis(1500)).getMessage();
    }

    @Test
    void namesWhoHoldsCoresAndWhere() {
        // given
        grant(self, "ThisThreadTest", thisThread, "neuron0/neuron_core0");
        grant(self, "AnotherThreadTest", thisThread + 1, "neuron0/neuron_core1");
        grant(stopped.number(), "StoppedTest", thisThread, "neuron1/neuron_core0");
        grant(join(4712).number(), "AnotherJvmTest", 7, "neuron1/neuron_core1");

        // then
        assertThat(timeout(waiter()))
                .isEqualTo(String.format(
                        "MyTest got no cores within 1.5s. It wants 4 cores in a row; 0 of 4 cores are free.%n"
                                + "Held:%n"
                                + "  neuron0/neuron_core0 by ThisThreadTest (this thread, since 1970-01-01T00:00:00Z)%n"
                                + "  neuron0/neuron_core1 by AnotherThreadTest (pid "
                                + ProcessHandle.current().pid()
                                + ", this JVM, thread thread "
                                + (thisThread + 1)
                                + ", since 1970-01-01T00:00:00Z)%n"
                                + "  neuron1/neuron_core0 by StoppedTest (pid 4711, stopped, thread thread "
                                + thisThread
                                + ", since 1970-01-01T00:00:00Z)%n"
                                + "  neuron1/neuron_core1 by AnotherJvmTest (pid 4712, thread thread 7,"
                                + " since 1970-01-01T00:00:00Z)%n"
                                + "Let it wait longer, run fewer tests at a time, or look why a holder does not end."));
    }

    @Test
    void namesSeveralCoresByTheirNumbers() {
        // given
        grant(stopped.number(), "OtherTest", 7, CORE_0, "neuron0/neuron_core1", "neuron1/neuron_core1");

        // then
        assertThat(timeout(waiter())).contains("%n  cores 0-1, 3 by OtherTest (pid 4711".formatted());
    }

    @Test
    void namesTheCoresOfAJvmWithAnotherCoreSizeByItsOwnNumbers() {
        // given two logical cores of two physical ones each
        grant(
                stopped.number(),
                "OtherTest",
                7,
                "neuron0/neuron_core0+neuron0/neuron_core1",
                CORE_2 + "+neuron1/neuron_core1");

        // then
        assertThat(timeout(waiter())).contains("%n  cores 0-3 by OtherTest (pid 4711".formatted());
    }

    @Test
    void namesCoresThatThisJvmDoesNotSeeByTheirDevices() {
        // given
        grant(stopped.number(), "OtherTest", 7, CORE_0, "neuron8/neuron_core0");

        // then
        assertThat(timeout(waiter()))
                .contains("%n  neuron0/neuron_core0, neuron8/neuron_core0 by OtherTest".formatted());
    }

    @Test
    void saysInOneLineWhatAWaitIsFor() {
        // given
        grant(stopped.number(), "OtherTest", 7, CORE_0, "neuron0/neuron_core1");
        enqueue(stopped.number(), "EarlyTest", 8);
        Waiter waiter = waiter();
        outside = Map.of("neuron1", List.of(new ProcessOwner(77, "python3")));

        // when
        Refusal refusal = refusal();

        // then
        assertThat(refusal.waiting(waiter, Duration.ofMillis(2_040), refusal.reasons(waiter)))
                .isEqualTo("MyTest has waited 2 s for 4 cores in a row; 0 of 4 cores are free."
                        + " Held: cores 0-1 by OtherTest (pid 4711, stopped, thread thread 7, since 1970-01-01T00:00:00Z)."
                        + " Waiting before it: EarlyTest: wants 4 cores in a row (pid 4711, stopped, thread thread 8)."
                        + " Open in processes that have no lease: neuron1: python3 (pid 77).");
    }

    @Test
    void namesOnlyWhoHasTheCoreThatAWaitNames() {
        // given
        grant(stopped.number(), "OtherTest", 7, CORE_0);
        grant(stopped.number(), "HolderTest", 7, CORE_2);

        // then
        assertThat(refusal().reasons(waiter(CoreRequest.exactly(2))))
                .isEqualTo(" Held: neuron1/neuron_core0 by HolderTest"
                        + " (pid 4711, stopped, thread thread 7, since 1970-01-01T00:00:00Z).");
    }

    @Test
    void namesAFewOfManyHoldersInALine() {
        // given
        IntStream.range(0, 5).forEach(test -> enqueue(stopped.number(), "Test" + test, 7));

        // then
        assertThat(refusal().reasons(waiter()))
                .startsWith(" Waiting before it: Test0: wants ")
                .contains("Test2")
                .doesNotContain("Test3")
                .endsWith(" and 2 more.");
    }

    @Test
    void namesWhoWaitsBeforeAndDoesNotAnswer() {
        // given
        enqueue(stopped.number(), "StoppedTest", 1);
        enqueue(join(4712).number(), "AnotherJvmTest", 7);
        store.change(state -> {
            state.passOver(state.ask(stopped.number()));
            return state;
        });
        Waiter waiter = waiter();
        enqueue(join(4713).number(), "LaterTest", 7);

        // then
        assertThat(timeout(waiter))
                .contains(String.format("4 of 4 cores are free.%n"
                        + "Waiting before it:%n"
                        + "  StoppedTest: wants 4 cores in a row"
                        + " (pid 4711, stopped, thread thread 1, which does not answer and is passed over)%n"
                        + "  AnotherJvmTest: wants 4 cores in a row (pid 4712, thread thread 7)%n"
                        + "Let it wait"));
    }

    @Test
    void namesTheThreadOfAJvmThatTheTableDoesNotKnowAnyMore() {
        // given
        grant(stopped.number(), "GoneTest", 7, CORE_0);
        store.change(state -> {
            state.leave(stopped.number());
            return state;
        });

        // then
        assertThat(timeout(waiter())).contains("GoneTest (thread thread 7, since 1970-01-01T00:00:00Z)");
    }

    @Test
    void saysWhatIsIllAndWhatTheHealthCheckFound() {
        // given
        TableState.Claim claim = grant(stopped.number(), "BadTest", 7, CORE_0);
        TableState.Barred first = store.bar(claim, Until.RESET, CORE_0);
        store.bar(claim, Until.RESET, CORE_2);
        troubles = Map.of(first.number(), "it is still warm");

        // then
        assertThat(timeout(waiter()))
                .contains(String.format("2 of 4 cores are free.%n"))
                .contains(String.format("In quarantine:%n"
                        + "  neuron0/neuron_core0: status 1202; reset the device (neuron0, serial number not readable); the health check finds: it is still warm"
                        + " (BadTest, pid 4711, since 1970-01-01T00:00:00Z)%n"
                        + "  neuron1/neuron_core0: status 1202; reset the device (neuron1, serial number not readable) (BadTest, pid 4711, since 1970-01-01T00:00:00Z)%n"
                        + "Let it wait"));
    }

    @Test
    void namesProcessesThatHaveNoLease() {
        // given
        outside = Map.of("neuron1", List.of(new ProcessOwner(77, "python3"), new ProcessOwner(78, "top")));

        // then their device is not free
        assertThat(timeout(waiter()))
                .contains("2 of 4 cores are free.")
                .contains(String.format("Open in processes that have no lease:%n"
                        + "  neuron1: python3 (pid 77), top (pid 78)%n"
                        + "Let it wait"));
    }

    @Test
    void saysWhatToEndByHand() {
        // given two cores of one process
        barUntilEnded("boot here", CORE_0, 77, 78);
        barUntilEnded("boot here", CORE_2, 77);
        place = Optional.of(Path.of("/shared/leases"));

        // then
        assertThat(timeout(waiter()))
                .contains(String.format("%nEnd what still uses the cores: process 77, 78, as it is numbered where it"
                        + " was started.%nLet it wait"));

        // when one is in another container
        barUntilEnded("boot there", "neuron0/neuron_core1", 79);

        // then
        assertThat(timeout(waiter()))
                .contains(String.format(
                        "process 77, 78, 79, as it is numbered where it was started. If it has ended, which cannot be"
                                + " seen from here, this frees one core: NEURON_TEST_LEASE_DIRECTORY=/shared/leases neuron-test doctor"
                                + " --free=neuron0/neuron_core1%nLet it wait"));
    }

    private void barUntilEnded(String namespace, String core, long... pids) {
        TableState.Claim claim = grant(stopped.number(), "BadTest", 7, core);
        store.change(state -> state.bar(
                core,
                "its process was alive",
                claim,
                Until.PROCESSES_END,
                Instant.EPOCH,
                DeviceReading.NONE,
                Arrays.stream(pids)
                        .mapToObj(pid -> new ProcessIdentity(pid, 1, namespace, "me"))
                        .toList()));
    }

    @Test
    void saysHowLongItWaited() {
        // given
        Waiter waiter = waiter();

        // when
        Duration before = waiter.waited();
        LeaseTimeoutException timeout = refusal().timeout(waiter, Duration.ZERO);

        // then
        assertThat(timeout.waited()).isBetween(before, waiter.waited());
    }

    @Test
    void namesOnlyQuarantinesThatLastWhereTheHostCannotGiveTheCoresAnyMore() {
        // given one core that is still held, and one that is not
        TableState.Claim held = grant(stopped.number(), "HeldTest", 7, CORE_0);
        store.bar(held, Until.RESET, CORE_0);
        TableState.Claim gone = grant(stopped.number(), "BadTest", 7, CORE_2);
        store.bar(gone, Until.RESET, CORE_2);
        store.change(state -> {
            state.release(gone.number(), process -> ProcessTable.Life.ENDED);
            return state;
        });

        // when
        CoresQuarantinedException refused = refusal().quarantined(waiter());

        // then
        assertThat(refused)
                .hasMessage(String.format("MyTest asks for 4 cores in a row, which this host cannot give any more.%n"
                        + "In quarantine:%n"
                        + "  neuron1/neuron_core0: status 1202; reset the device (neuron1, serial number not readable) (BadTest, pid 4711, since 1970-01-01T00:00:00Z)%n"
                        + "Do what the reason names. A core comes back when a health check finds it well."));
        assertThat(refused.quarantines())
                .singleElement()
                .satisfies(each -> assertThat(each.core()).isEqualTo(CORE_2));
    }

    @Test
    void namesACoreOnceForAllReasonsOfATest() {
        // given
        TableState.Claim claim = grant(stopped.number(), "BadTest", 7, CORE_2);
        store.bar(claim, Until.RESET, CORE_2);
        store.bar(claim, Until.RESET, "no answer", CORE_2);
        release(claim);

        // then
        assertThat(refusal().quarantined(waiter()))
                .hasMessageContaining(String.format("In quarantine:%n"
                        + "  neuron1/neuron_core0: status 1202; no answer; reset the device (neuron1, serial number not readable) (BadTest, pid 4711, since 1970-01-01T00:00:00Z)%n"
                        + "Do what"));
    }

    @Test
    void namesOnlyTheCoreThatARequestCannotDoWithout() {
        // given
        TableState.Claim claim = grant(stopped.number(), "BadTest", 7, CORE_0, CORE_2);
        store.bar(claim, Until.RESET, CORE_0);
        store.bar(claim, Until.RESET, CORE_2);
        release(claim);

        // then
        assertThat(refusal().quarantined(waiter(CoreRequest.exactly(2))))
                .hasMessageContaining("neuron1/neuron_core0: ")
                .hasMessageNotContaining("neuron0/neuron_core0: ");
    }

    private void release(TableState.Claim claim) {
        store.change(state -> {
            state.release(claim.number(), process -> ProcessTable.Life.ENDED);
            return state;
        });
    }

    @Test
    void namesTheHeldCoresThatAreIllByNow() {
        // given
        TableState.Claim claim = grant(self, "MyTest", 1, CORE_0);
        assertThat(refusal().ill("MyTest", host.cores())).isEmpty();
        store.bar(claim, Until.RESET, CORE_0);

        // then
        assertThat(refusal().ill("MyTest", host.cores().subList(1, 4))).isEmpty();
        assertThat(refusal().ill("MyTest", host.cores().subList(0, 2))).hasValueSatisfying(ill -> {
            assertThat(ill)
                    .hasMessageStartingWith(
                            String.format(
                                    "MyTest was to use cores that are in quarantine by now.%n"
                                            + "In quarantine:%n"
                                            + "  neuron0/neuron_core0: status 1202; reset the device (neuron0, serial number not readable) (MyTest, pid "))
                    .hasMessageEndingWith(String.format("%nA class or a session keeps its cores to its end; lease them"
                            + " per test to get others after a failure."));
            assertThat(ill.quarantines()).hasSize(1);
        });
    }
}
