package dev.neurontest.internal.lease.table;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.CoresQuarantinedException;
import dev.neurontest.internal.lease.DeadHolder;
import dev.neurontest.internal.lease.HealthCheck;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseDeadlockException;
import dev.neurontest.internal.lease.LeaseObserver;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.WarningsFixture;
import dev.neurontest.internal.lease.store.LeaseOverview;
import dev.neurontest.internal.process.ProcessFixture;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedLeaseTableIT extends LeaseTableContract {

    @TempDir
    Path parent;

    private final List<AutoCloseable> toClose = new ArrayList<>();

    @Override
    LeaseTable.Builder kept(LeaseTable.Builder table) {
        return table.directory(directory());
    }

    private Path directory() {
        return parent.resolve("leases");
    }

    private LeaseTable anotherTable() {
        LeaseTable other = kept(LeaseTable.builder(host())).open();
        toClose.add(other);
        return other;
    }

    private ForkedJvmFixture jvm() throws Exception {
        ForkedJvmFixture jvm = new ForkedJvmFixture(root, directory());
        toClose.add(jvm);
        assertThat(jvm.next()).isEqualTo("ready");
        return jvm;
    }

    @AfterEach
    void closeOthers() throws Exception {
        for (AutoCloseable each : toClose) {
            each.close();
        }
    }

    private static LeaseRequest all(String holder) {
        return new LeaseRequest(holder, List.of(CoreRequest.inARow(4)));
    }

    @Nested
    class AmongJvms {

        @Test
        void coresAreExclusive() throws Exception {
            // given
            ForkedJvmFixture other = jvm();
            other.tell("lease other 3");
            assertThat(other.next()).isEqualTo("0,1,2");

            // when
            Lease mine = lease("mine", CoreRequest.any());

            // then
            assertThat(indices(mine)).containsExactly(3);
            assertThatExceptionOfType(LeaseTimeoutException.class)
                    .isThrownBy(() -> lease("late", CoreRequest.any()))
                    .withMessageContaining("cores 0-2 by other (pid " + other.pid() + ", thread Thread-");

            // when
            other.tell("close other");

            // then
            assertThat(indices(table.lease(new LeaseRequest("late", List.of(CoreRequest.inARow(3))), LONG)))
                    .containsExactly(0, 1, 2);
        }

        @Test
        void requestsAreServedInOrderOfArrival() throws Exception {
            // given
            Lease all = table.lease(all("all"), LONG);
            ForkedJvmFixture first = jvm();
            ForkedJvmFixture third = jvm();
            first.tell("lease first 4");
            awaitQueue("first");
            WaiterFixture second = new WaiterFixture("second", CoreRequest.inARow(4));
            third.tell("lease third 1");
            awaitQueue("first", "second", "third");

            // when
            all.close();

            // then
            assertThat(first.next()).isEqualTo("0,1,2,3");
            assertThat(second.waits()).isTrue();
            assertThat(third.isSilent()).isTrue();

            // when
            first.tell("close first");

            // then
            Lease served = second.get();
            assertThat(third.isSilent()).isTrue();

            // when
            served.close();

            // then
            assertThat(third.next()).isEqualTo("0");
        }

        @Test
        void coresOfKilledHolderAreFreed() throws Exception {
            // given
            ForkedJvmFixture other = jvm();
            other.tell("lease other 4");
            assertThat(other.next()).isEqualTo("0,1,2,3");

            // when
            other.kill();

            // then
            assertThat(table.lease(all("mine"), LONG).cores()).hasSize(4);
        }

        private final List<DeadHolder> dead = new CopyOnWriteArrayList<>();

        private LeaseTable observedTable() {
            LeaseTable observed = kept(LeaseTable.builder(host()))
                    .observer(new LeaseObserver() {
                        @Override
                        public void holderDied(DeadHolder holder) {
                            dead.add(holder);
                        }
                    })
                    .open();
            toClose.add(observed);
            return observed;
        }

        /** Returns a killed JVM that held cores 0 and 1. */
        private ForkedJvmFixture killedHolder() throws Exception {
            ForkedJvmFixture other = jvm();
            other.tell("lease other 2");
            assertThat(other.next()).isEqualTo("0,1");
            other.kill();
            return other;
        }

        @Test
        void killedHolderIsReportedToWaitingJvm() throws Exception {
            // given
            LeaseTable observed = observedTable();
            ForkedJvmFixture other = killedHolder();

            // when
            observed.lease(all("mine"), LONG);

            // then another thread calls the observer, perhaps only after the cores were handed out
            await().untilAsserted(() -> assertThat(dead).singleElement().satisfies(each -> {
                assertThat(each.pid()).isEqualTo(other.pid());
                assertThat(each.holder()).isEqualTo("other");
                assertThat(each.cores()).extracting(NeuronCore::index).containsExactly(0, 1);
                assertThat(each.survivors()).isEmpty();
            }));
        }

        @Test
        void killedHolderIsReportedWhenTableIsOpened() throws Exception {
            // given
            ForkedJvmFixture other = killedHolder();

            // when
            observedTable();

            // then
            assertThat(dead).singleElement().satisfies(each -> {
                assertThat(each.pid()).isEqualTo(other.pid());
                assertThat(each.holder()).isEqualTo("other");
            });
        }

        @Test
        void aKilledWaiterBlocksNobody() throws Exception {
            // given a test that requests more than the free cores, and a later test that does not
            lease("holder", CoreRequest.any());
            ForkedJvmFixture head = jvm();
            head.tell("lease head 4");
            awaitQueue("head");
            WaiterFixture behind = new WaiterFixture("behind", CoreRequest.any());

            // when
            head.kill();

            // then
            assertThat(indices(behind.get())).containsExactly(1);
        }

        @Test
        void stoppedWaiterIsPassedOverUntilItContinues() throws Exception {
            // given a test that requests more than the free cores, and a later test that does not
            List<String> notices = new CopyOnWriteArrayList<>();
            table.close();
            table = kept(LeaseTable.builder(host()))
                    .observer(new WarningsFixture(notices))
                    .open();
            Lease holder = lease("holder", CoreRequest.any());
            ForkedJvmFixture head = jvm();
            head.tell("lease head 4");
            awaitQueue("head");
            WaiterFixture behind = new WaiterFixture("behind", CoreRequest.any());

            // when
            head.stop();

            // then
            assertThat(indices(behind.get())).containsExactly(1);
            // Another thread calls the observer, perhaps only after the cores were leased again.
            await().untilAsserted(() -> assertThat(notices)
                    .singleElement()
                    .asString()
                    .startsWith("JVM " + head.pid() + " does not respond and is passed over: head waits there for "));
            assertThatExceptionOfType(LeaseTimeoutException.class)
                    .isThrownBy(() -> lease("late", CoreRequest.inARow(4)))
                    .withMessageContaining("Waiting before it:\n  head: requests 4 cores in a row (pid " + head.pid()
                            + ", stopped, thread Thread-0, which does not respond and is passed over)");

            // when it goes on, it has its place again
            head.goOn();
            await().until(() -> passedOver() == 0);
            WaiterFixture newcomer = new WaiterFixture("newcomer", CoreRequest.any());
            behind.get().close();
            holder.close();

            // then
            assertThat(head.next()).isEqualTo("0,1,2,3");
            assertThat(newcomer.waits()).isTrue();
            head.tell("close head");
            assertThat(indices(newcomer.get())).containsExactly(0);
        }

        @Test
        void aJvmAtABreakpointKeepsItsCoresAndIsPassedOver() throws Exception {
            // given a JVM that holds two cores and requests four
            ForkedJvmFixture other = new ForkedJvmFixture(
                    root,
                    directory(),
                    Map.of(
                            "JAVA_TOOL_OPTIONS",
                            "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0"),
                    List.of());
            toClose.add(other);
            String listening = other.next();
            assertThat(other.next()).isEqualTo("ready");
            other.tell("lease holder 2");
            assertThat(other.next()).isEqualTo("0,1");
            other.tell("lease waiter 4");
            awaitQueue("waiter");

            // when
            VirtualMachine machine = attach(listening.substring(listening.lastIndexOf(' ') + 1));
            machine.suspend();

            // then
            Lease mine = table.lease(new LeaseRequest("mine", List.of(CoreRequest.inARow(2))), LONG);
            assertThat(indices(mine)).containsExactly(2, 3);
            assertThat(passedOver()).isOne();
            assertThatExceptionOfType(LeaseTimeoutException.class)
                    .isThrownBy(() -> table.lease(all("late"), Duration.ofSeconds(1)))
                    .withMessageContaining("cores 0-1 by holder (pid " + other.pid());

            // when
            machine.resume();
            mine.close();
            other.tell("close holder");

            // then
            assertThat(other.next()).isEqualTo("0,1,2,3");
        }

        private VirtualMachine attach(String port) throws Exception {
            AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                    .filter(each -> each.transport().name().equals("dt_socket"))
                    .findFirst()
                    .orElseThrow();
            Map<String, Connector.Argument> arguments = connector.defaultArguments();
            arguments.get("hostname").setValue("127.0.0.1");
            arguments.get("port").setValue(port);
            return connector.attach(arguments);
        }

        private long passedOver() {
            return waiting().filter(LeaseOverview.Waiting::passedOver).count();
        }

        private Stream<LeaseOverview.Waiting> waiting() {
            return LeaseOverview.of(directory()).orElseThrow().waiting().stream();
        }

        @Test
        void workloadOfKilledHolderIsEndedForWaitingTest() throws Exception {
            // given
            ForkedJvmFixture other = jvm();
            other.tell("lease other 2");
            other.next();
            other.tell("workload other");
            long workload = Long.parseLong(other.next());

            // when
            other.kill();

            // then
            assertThat(indices(table.lease(all("mine"), LONG))).containsExactly(0, 1, 2, 3);
            assertThat(ProcessFixture.isGone(workload)).isTrue();
            assertThat(table.quarantined()).isEmpty();
        }

        @Test
        void coresOfKilledHolderAreQuarantinedUntilChildEnds() throws Exception {
            // given
            ForkedJvmFixture other = jvm();
            other.tell("lease other 2");
            other.next();
            other.tell("child other");
            ProcessHandle child = ProcessHandle.of(Long.parseLong(other.next())).orElseThrow();
            try {
                // when
                other.kill();

                // then
                assertThatExceptionOfType(LeaseTimeoutException.class)
                        .isThrownBy(() -> table.lease(all("early"), Duration.ofMillis(300)))
                        .withMessageContaining("neuron0/neuron_core1: the lease ended with its JVM " + other.pid()
                                + " while its process " + child.pid() + " was alive (other, pid " + other.pid())
                        .withMessageContaining("End the processes that still use the cores: pid " + child.pid()
                                + ", as numbered where they were started.\n");
                assertThat(table.quarantined()).hasSize(2).allMatch(each -> each.until() == Until.PROCESSES_END);
                assertThat(indices(lease("elsewhere", CoreRequest.inARow(2)))).containsExactly(2, 3);
            } finally {
                child.destroyForcibly();
            }

            // then
            assertThat(indices(table.lease(new LeaseRequest("late", List.of(CoreRequest.inARow(2))), LONG)))
                    .containsExactly(0, 1);
            assertThat(table.quarantined()).isEmpty();
        }

        @Test
        void quarantineIsSeenByAllAndOutlivesItsJvm() throws Exception {
            // given
            ForkedJvmFixture other = jvm();
            other.tell("lease other 1");
            other.next();

            // when
            other.tell("quarantine other");
            assertThat(other.next()).isEqualTo("done");
            other.kill();

            // then
            assertThatExceptionOfType(CoresQuarantinedException.class)
                    .isThrownBy(() -> table.lease(all("mine"), LONG))
                    .withMessageContaining(
                            "neuron0/neuron_core0: broken; reset the device (neuron0, serial number not readable) (other, pid "
                                    + other.pid());
        }

        @Test
        void quarantineIsReportedWhenTableIsOpened() throws Exception {
            // given
            try (Lease mine = lease("mine", CoreRequest.exactly(0))) {
                mine.quarantine(mine.cores(), Until.RESET, "broken");
            }
            ToldFixture observer = new ToldFixture();

            // when
            toClose.add(kept(LeaseTable.builder(host())).observer(observer).open());

            // then
            assertThat(observer.told)
                    .containsExactly(
                            "quarantined neuron0/neuron_core0: broken; reset the device (neuron0, serial number not readable)");
        }

        @Test
        void quarantineOfEndedJvmIsCheckedOnOpening() throws Exception {
            // given a core that another JVM was perhaps still driving when it ended
            LeaseTable other = anotherTable();
            try (Lease driven =
                    other.lease(new LeaseRequest("other", List.of(CoreRequest.exactly(0))), Duration.ZERO)) {
                driven.quarantine(driven.cores(), Until.IDLE, "timed out");
            }
            other.close();

            // when
            toClose.add(kept(LeaseTable.builder(host()))
                    .healthCheck((core, why) -> Optional.empty())
                    .open());

            // then
            assertThat(table.quarantined()).isEmpty();
        }

        @Test
        void suspectHardwareIsClearedOnlyByCheckThatHeals() throws Exception {
            // given
            try (Lease broken = lease("broken", CoreRequest.exactly(0))) {
                broken.quarantine(broken.cores(), Until.RESET, "hw_error");
            }
            HealthCheck powerless = new HealthCheck() {
                @Override
                public Optional<String> trouble(NeuronCore core, Quarantine why) {
                    return Optional.empty();
                }

                @Override
                public boolean heals() {
                    return false;
                }
            };

            // when
            toClose.add(kept(LeaseTable.builder(host())).healthCheck(powerless).open());

            // then
            assertThat(table.quarantined()).hasSize(1);

            // when
            toClose.add(kept(LeaseTable.builder(host()))
                    .healthCheck((core, why) -> Optional.empty())
                    .open());

            // then
            assertThat(table.quarantined()).isEmpty();
        }

        @Test
        void deadlockBetweenSessionsFailsAtOnce() throws Exception {
            // given
            LeaseTable other = anotherTable();
            LeaseRequest session = new LeaseRequest("a session", List.of(CoreRequest.any())).forAllOfTheJvm();
            Lease here = table.lease(session, Duration.ZERO);
            Lease there = other.lease(session, Duration.ZERO);
            FutureTask<Lease> earlier = new FutureTask<>(() -> other.lease(
                    new LeaseRequest(
                            "EarlierTest",
                            List.of(CoreRequest.exactly(indices(here).get(0)))),
                    LONG));
            new Thread(earlier).start();
            awaitQueue("EarlierTest");

            // then
            assertThatExceptionOfType(LeaseDeadlockException.class)
                    .isThrownBy(() -> table.lease(
                            new LeaseRequest(
                                    "LaterTest",
                                    List.of(CoreRequest.exactly(indices(there).get(0)))),
                            LONG))
                    .withMessageContaining("EarlierTest: keeps neuron0/neuron_core1 and requests core 0");

            // when
            here.close();

            // then
            assertThat(indices(earlier.get())).containsExactly(0);
        }

        private void awaitQueue(String... holders) {
            await().until(() ->
                    waiting().map(LeaseOverview.Waiting::holder).toList().equals(Arrays.asList(holders)));
        }
    }

    @Nested
    class InOneJvm {

        @Test
        void twoTablesShareCores() throws Exception {
            // given
            LeaseTable other = anotherTable();
            Lease theirs = other.lease(all("theirs"), Duration.ZERO);
            WaiterFixture mine = new WaiterFixture("mine", CoreRequest.inARow(4));

            // when
            theirs.close();

            // then
            assertThat(indices(mine.get())).containsExactly(0, 1, 2, 3);
        }

        @Test
        void coreOfOtherTableIsNotClearedUntilItCloses() throws Exception {
            // given
            reopen(options -> options.healthCheck((core, why) -> Optional.empty()));
            LeaseTable other = anotherTable();
            quarantineCore0(other, Until.IDLE);

            // when
            table.checkAgain();

            // then
            assertThatExceptionOfType(CoresQuarantinedException.class)
                    .isThrownBy(() -> lease("mine", CoreRequest.exactly(0)))
                    .withMessageContaining("neuron0/neuron_core0: suspect (theirs, pid ");

            // when
            other.close();

            // then
            assertThat(indices(lease("mine", CoreRequest.exactly(0)))).containsExactly(0);
        }

        @Test
        void hardwareSuspectedByOtherTableIsClearedWhenWell() throws Exception {
            // given
            reopen(options -> options.healthCheck((core, why) -> Optional.empty()));
            quarantineCore0(anotherTable(), Until.RESET);

            // then
            assertThat(indices(lease("mine", CoreRequest.exactly(0)))).containsExactly(0);
        }

        private void quarantineCore0(LeaseTable other, Until until) throws Exception {
            LeaseRequest core0 = new LeaseRequest("theirs", List.of(CoreRequest.exactly(0)));
            try (Lease lease = other.lease(core0, Duration.ZERO)) {
                lease.quarantine(lease.cores(), until, "suspect");
            }
        }

        @Test
        void otherCodeThatReadsTheFilesLosesNoLease() throws Exception {
            // given
            Lease mine = lease("mine", CoreRequest.inARow(2));
            ForkedJvmFixture other = jvm();

            // when
            try (Stream<Path> files = Files.walk(directory())) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    assertThat(Files.readAllBytes(file)).isNotEmpty();
                    Files.newByteChannel(file, StandardOpenOption.WRITE).close();
                }
            }

            // then
            other.tell("lease other 2");
            assertThat(other.next()).isEqualTo("2,3");
            assertThat(mine.doubt()).isEmpty();
        }

        @Test
        void anotherClassLoaderDoesNotLoseTheLock() throws Exception {
            // given
            Lease mine = lease("mine", CoreRequest.inARow(2));
            ForkedJvmFixture other = jvm();

            // when
            for (int i = 0; i < 20; i++) {
                assertThat(leaseInAnotherClassLoader()).isEqualTo(2);
            }

            // then the table is still this JVM's
            other.tell("lease other 2");
            assertThat(other.next()).isEqualTo("2,3");
            assertThatThrownBy(() -> lease("late", CoreRequest.any())).isInstanceOf(LeaseTimeoutException.class);
            assertThat(table.held()).containsExactly(mine);
            other.tell("close other");
            other.tell("lease again 3");
            await().during(Duration.ofMillis(200)).until(other::isSilent);
            mine.close();
            assertThat(other.next()).isEqualTo("0,1,2");
        }

        /** Returns the number of cores that a copy of the classes leased, after it requested all of them. */
        private int leaseInAnotherClassLoader() throws Exception {
            List<URL> path = new ArrayList<>();
            for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
                path.add(Path.of(each).toUri().toURL());
            }
            try (URLClassLoader loader =
                    new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
                Class<?> copy = loader.loadClass(AnotherClassLoaderFixture.class.getName());
                assertThat(copy).isNotSameAs(AnotherClassLoaderFixture.class);
                return (int) copy.getMethod("lease", Path.class, Path.class).invoke(null, root, directory());
            } catch (InvocationTargetException failed) {
                throw new AssertionError(failed.getCause());
            }
        }
    }

    @Nested
    class Directories {

        @Test
        void areOpenToAllAndMembersWritableByOwner() throws Exception {
            // then
            assertThat(mode(directory())).isEqualTo(01777);
            assertThat(mode(directory().resolve("leases-1"))).isEqualTo(0666);
            Path mine = memberDirectories().get(0);
            assertThat(mode(mine)).isEqualTo(0755);
            assertThat(mode(mine.resolve("bell"))).isEqualTo(0666);
        }

        @Test
        void containNoMembersThatLeft() throws Exception {
            // given
            ForkedJvmFixture killed = jvm();
            killed.kill();
            anotherTable().close();

            // when
            table.lease(all("mine"), LONG).close();
            table.lease(all("mine"), LONG).close();
            lease("buries", CoreRequest.inARow(4));
            assertThatThrownBy(() -> lease("buries", CoreRequest.any())).isInstanceOf(LeaseTimeoutException.class);
            anotherTable().close();

            // then
            assertThat(memberDirectories()).hasSize(1);
        }

        @Test
        void showLeasesAsPlainText() throws Exception {
            // given
            lease("FooTest.bar()", CoreRequest.inARow(2));

            // then
            byte[] content = Files.readAllBytes(directory().resolve("leases-1"));
            assertThat(new String(content, StandardCharsets.ISO_8859_1))
                    .contains("\tholder=FooTest.bar()\tthread=")
                    .contains("\tcores=neuron0/neuron_core0,neuron0/neuron_core1\t");
        }

        private List<Path> memberDirectories() throws IOException {
            try (Stream<Path> files = Files.list(directory())) {
                return files.filter(Files::isDirectory).toList();
            }
        }

        private int mode(Path path) throws IOException {
            return (int) Files.getAttribute(path, "unix:mode") & 07777;
        }
    }
}
