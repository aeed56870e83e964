package dev.neurontest.internal.lease.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.CoresQuarantinedException;
import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.lease.store.TableFixture;
import dev.neurontest.internal.lease.store.TicketSlots.Head;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the message for a test that got no cores, on a host that it shares with a stopped JVM. */
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
    private LeaseStore store = LeaseStore.inMemory(new ProcessTable());
    private final long thisThread = Thread.currentThread().getId();
    private Map<String, List<ProcessOwner>> outside = Map.of();
    private Map<Long, String> troubles = Map.of();
    private NeuronHost host;
    private TableFixture self;
    private TableFixture stopped;

    @BeforeEach
    void shareWithAStoppedJvm() {
        host = new HostFixture(root).devices(HostFixture.Kind.TRN1, 0, 1).host();
        share();
    }

    private void share() {
        self = new TableFixture(store);
        stopped = join(STOPPED);
    }

    private TableFixture join(long pid) {
        return new TableFixture(store, "jvm-" + pid, new ProcessIdentity(pid, 1, "boot here", "me"));
    }

    private Refusal refusal() {
        HostCores cores = new HostCores(host, host.cores());
        LeaseState state = store.stateWithQueue();
        return new Refusal(
                state, store, cores, outside, new HealthChecks(null, cores, store).lasting(state), troubles, processes);
    }

    private Waiter waiter() {
        return waiter(CoreRequest.inARow(4));
    }

    private Waiter waiter(CoreRequest wanted) {
        LeaseRequest request = new LeaseRequest("MyTest", List.of(wanted));
        Waiter waiter = new Waiter(CorePlacement.of(host, request), new ReentrantLock().newCondition());
        waiter.head = enqueue(self, "MyTest", 1);
        return waiter;
    }

    private static Head enqueue(TableFixture jvm, String holder, long thread) {
        return jvm.enqueue(holder, "4 cores in a row", thread);
    }

    private String timeout(Waiter waiter) {
        return refusal().timeout(waiter, Duration.ofMillis(1500)).getMessage();
    }

    @Test
    void namesHoldersWithPidAndThread() {
        // given
        self.grant("ThisThreadTest", thisThread, "neuron0/neuron_core0");
        self.grant("AnotherThreadTest", thisThread + 1, "neuron0/neuron_core1");
        stopped.grant("StoppedTest", thisThread, "neuron1/neuron_core0");
        join(4712).grant("AnotherJvmTest", 7, "neuron1/neuron_core1");

        // then
        assertThat(timeout(waiter()))
                .isEqualTo(
                        String.format(
                                "MyTest got no cores within 1.5s. It requests 4 cores in a row; 0 of 4 cores are free.%n"
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
                                        + "Allow a longer wait, run fewer tests at a time, or find out why a holder does not end."));
    }

    @Test
    void namesSeveralCoresByTheirNumbers() {
        // given
        stopped.grant("OtherTest", 7, CORE_0, "neuron0/neuron_core1", "neuron1/neuron_core1");

        // then
        assertThat(timeout(waiter())).contains("%n  cores 0-1, 3 by OtherTest (pid 4711".formatted());
    }

    @Test
    void namesCoresOfOtherCoreSizeInOwnNumbers() {
        // given two logical cores of two physical ones each
        stopped.grant("OtherTest", 7, "neuron0/neuron_core0+neuron0/neuron_core1", CORE_2 + "+neuron1/neuron_core1");

        // then
        assertThat(timeout(waiter())).contains("%n  cores 0-3 by OtherTest (pid 4711".formatted());
    }

    @Test
    void namesInvisibleCoresByDevice() {
        // given
        stopped.grant("OtherTest", 7, CORE_0, "neuron8/neuron_core0");

        // then
        assertThat(timeout(waiter()))
                .contains("%n  neuron0/neuron_core0, neuron8/neuron_core0 by OtherTest".formatted());
    }

    @Test
    void describesWaitInOneLine() {
        // given
        stopped.grant("OtherTest", 7, CORE_0, "neuron0/neuron_core1");
        enqueue(stopped, "EarlyTest", 8);
        Waiter waiter = waiter();
        outside = Map.of("neuron1", List.of(new ProcessOwner(77, "python3")));

        // when
        Refusal refusal = refusal();

        // then
        assertThat(refusal.waiting(waiter, Duration.ofMillis(2_040), refusal.reasons(waiter)))
                .isEqualTo("MyTest has waited 2 s for 4 cores in a row; 0 of 4 cores are free."
                        + " Held: cores 0-1 by OtherTest (pid 4711, stopped, thread thread 7, since 1970-01-01T00:00:00Z)."
                        + " Waiting before it: EarlyTest: requests 4 cores in a row (pid 4711, stopped, thread thread 8)."
                        + " Open in processes that have no lease: neuron1: python3 (pid 77).");
    }

    @Test
    void namesOnlyHolderOfRequestedCore() {
        // given
        stopped.grant("OtherTest", 7, CORE_0);
        stopped.grant("HolderTest", 7, CORE_2);

        // then
        assertThat(refusal().reasons(waiter(CoreRequest.exactly(2))))
                .isEqualTo(" Held: neuron1/neuron_core0 by HolderTest"
                        + " (pid 4711, stopped, thread thread 7, since 1970-01-01T00:00:00Z).");
    }

    @Test
    void namesThreeEarlierWaitersAndCountsRest() {
        // given
        IntStream.range(0, 5).forEach(test -> enqueue(stopped, "Test" + test, 7));

        // then
        assertThat(refusal().reasons(waiter()))
                .startsWith(" Waiting before it: Test0: requests ")
                .contains("Test2")
                .doesNotContain("Test3")
                .endsWith(" and 2 more.");
    }

    @Test
    void namesEarlierWaitersAndMarksPassedOverOnes() {
        // given
        store.tickets().pass(enqueue(stopped, "StoppedTest", 1), true);
        enqueue(join(4712), "AnotherJvmTest", 7);
        Waiter waiter = waiter();
        enqueue(join(4713), "LaterTest", 7);

        // then
        assertThat(timeout(waiter))
                .contains(String.format("4 of 4 cores are free.%n"
                        + "Waiting before it:%n"
                        + "  StoppedTest: requests 4 cores in a row"
                        + " (pid 4711, stopped, thread thread 1, which does not respond and is passed over)%n"
                        + "  AnotherJvmTest: requests 4 cores in a row (pid 4712, thread thread 7)%n"
                        + "Allow a longer wait"));
    }

    @Test
    void namesIllCoresWithHealthCheckResult() {
        // given
        LeaseState.Claim claim = stopped.grant("BadTest", 7, CORE_0, CORE_2);
        LeaseState.QuarantineEntry first = stopped.bar(claim, Until.RESET, CORE_0);
        stopped.bar(claim, Until.RESET, CORE_2);
        troubles = Map.of(first.number(), "it is still warm");

        // then
        assertThat(timeout(waiter()))
                .contains(String.format("2 of 4 cores are free.%n"))
                .contains(String.format("In quarantine:%n"
                        + "  neuron0/neuron_core0: status 1202; reset the device (neuron0, serial number not readable); the health check finds: it is still warm"
                        + " (BadTest, pid 4711, since 1970-01-01T00:00:00Z)%n"
                        + "  neuron1/neuron_core0: status 1202; reset the device (neuron1, serial number not readable) (BadTest, pid 4711, since 1970-01-01T00:00:00Z)%n"
                        + "Allow a longer wait"));
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
                        + "Allow a longer wait"));
    }

    @Test
    void namesProcessesToEndByHand() {
        // given two cores of one process
        store = LeaseStore.in(root.resolve("shared"), null, new ProcessTable(), warning -> {});
        share();
        barUntilEnded("boot here", CORE_0, 77, 78);
        barUntilEnded("boot here", CORE_2, 77);

        // then
        assertThat(timeout(waiter()))
                .contains(
                        String.format("%nEnd the processes that still use the cores: pid 77, 78, as numbered where they"
                                + " were started.%nAllow a longer wait"));

        // when one process is in another container
        barUntilEnded("boot there", "neuron0/neuron_core1", 79);

        // then
        assertThat(timeout(waiter()))
                .contains(String.format(
                        "pid 77, 78, 79, as numbered where they were started. If they have ended, which is not"
                                + " visible from here, this frees one core: NEURON_TEST_LEASE_DIRECTORY=%s neuron-test doctor"
                                + " --free=neuron0/neuron_core1%nAllow a longer wait",
                        store.place().orElseThrow()));
        store.close();
    }

    private void barUntilEnded(String namespace, String core, long... pids) {
        LeaseState.Claim claim = stopped.grant("BadTest", 7, core);
        stopped.bar(claim.bar(core, "its process was alive", Until.PROCESSES_END, Instant.EPOCH, DeviceReading.NONE)
                .until(
                        Arrays.stream(pids)
                                .mapToObj(pid -> new ProcessIdentity(pid, 1, namespace, "me"))
                                .toList(),
                        ""));
    }

    @Test
    void timeoutContainsWaitedTime() {
        // given
        Waiter waiter = waiter();

        // when
        Duration before = waiter.waited();
        LeaseTimeoutException timeout = refusal().timeout(waiter, Duration.ZERO);

        // then
        assertThat(timeout.waited()).isBetween(before, waiter.waited());
    }

    @Test
    void namesOnlyQuarantinedCoresNotHeldAnyMore() {
        // given a core that is still held, and a core that is free
        LeaseState.Claim held = stopped.grant("HeldTest", 7, CORE_0);
        stopped.bar(held, Until.RESET, CORE_0);
        LeaseState.Claim gone = stopped.grant("BadTest", 7, CORE_2);
        stopped.bar(gone, Until.RESET, CORE_2);
        stopped.release(gone);

        // when
        CoresQuarantinedException refused = refusal().quarantined(waiter());

        // then
        assertThat(refused)
                .hasMessage(String.format("MyTest requests 4 cores in a row, which this host can no longer provide.%n"
                        + "In quarantine:%n"
                        + "  neuron1/neuron_core0: status 1202; reset the device (neuron1, serial number not readable) (BadTest, pid 4711, since 1970-01-01T00:00:00Z)%n"
                        + "Do what the reason names. A core returns when a health check finds it healthy."));
        assertThat(refused.quarantines())
                .singleElement()
                .satisfies(each -> assertThat(each.core()).isEqualTo(CORE_2));
    }

    @Test
    void namesQuarantinedCoreOnceWithAllReasons() {
        // given
        LeaseState.Claim claim = stopped.grant("BadTest", 7, CORE_2);
        stopped.bar(claim, Until.RESET, CORE_2);
        stopped.bar(claim, Until.RESET, "no answer", CORE_2);
        stopped.release(claim);

        // then
        assertThat(refusal().quarantined(waiter()))
                .hasMessageContaining(String.format("In quarantine:%n"
                        + "  neuron1/neuron_core0: status 1202; no answer; reset the device (neuron1, serial number not readable) (BadTest, pid 4711, since 1970-01-01T00:00:00Z)%n"
                        + "Do what"));
    }

    @Test
    void namesOnlyQuarantinedCoreOfRequest() {
        // given
        LeaseState.Claim claim = stopped.grant("BadTest", 7, CORE_0, CORE_2);
        stopped.bar(claim, Until.RESET, CORE_0);
        stopped.bar(claim, Until.RESET, CORE_2);
        stopped.release(claim);

        // then
        assertThat(refusal().quarantined(waiter(CoreRequest.exactly(2))))
                .hasMessageContaining("neuron1/neuron_core0: ")
                .hasMessageNotContaining("neuron0/neuron_core0: ");
    }

    @Test
    void namesHeldCoresInQuarantine() {
        // given
        LeaseState.Claim claim = self.grant("MyTest", 1, CORE_0);
        assertThat(refusal().ill("MyTest", host.cores())).isEmpty();
        stopped.bar(claim, Until.RESET, CORE_0);

        // then
        assertThat(refusal().ill("MyTest", host.cores().subList(1, 4))).isEmpty();
        assertThat(refusal().ill("MyTest", host.cores().subList(0, 2))).hasValueSatisfying(ill -> {
            assertThat(ill)
                    .hasMessageStartingWith(
                            String.format(
                                    "MyTest was to use cores that are now in quarantine.%n"
                                            + "In quarantine:%n"
                                            + "  neuron0/neuron_core0: status 1202; reset the device (neuron0, serial number not readable) (MyTest, pid "))
                    .hasMessageEndingWith(String.format("%nA class or a session keeps its cores to its end; lease them"
                            + " per test to get others after a failure."));
            assertThat(ill.quarantines()).hasSize(1);
        });
    }
}
