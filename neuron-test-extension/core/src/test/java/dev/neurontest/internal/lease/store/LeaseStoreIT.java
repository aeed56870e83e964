package dev.neurontest.internal.lease.store;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.WarningsFixture;
import dev.neurontest.internal.lease.store.TicketSlots.Head;
import dev.neurontest.internal.lease.table.ForkedJvmFixture;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a shared table with directories and files that have changed unexpectedly. */
class LeaseStoreIT {

    private static final String[] CORES = {"neuron0/neuron_core0", "neuron0/neuron_core1"};
    private static final LeaseRequest BOTH = new LeaseRequest("test", List.of(CoreRequest.inARow(2)));

    @TempDir
    Path root;

    @TempDir
    Path parent;

    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> toClose = new ArrayList<>();
    private Path directory;

    @BeforeEach
    void host() {
        directory = parent.resolve("leases");
        new HostFixture(root).devices(HostFixture.Kind.TRN1, 0);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : toClose) {
            each.close();
        }
    }

    private LeaseTable open() {
        LeaseTable table = LeaseTable.builder(new HostFixture(root).host())
                .directory(directory)
                .observer(new WarningsFixture(warnings))
                .open();
        toClose.add(table);
        return table;
    }

    private ThrowableAssertAlternative<LeaseTableException> refusal() {
        return assertThatExceptionOfType(LeaseTableException.class).isThrownBy(this::open);
    }

    private LeaseStore store() {
        LeaseStore store = LeaseStore.in(directory, null, new ProcessTable(), warnings::add);
        store.prepare(List.of(CORES));
        toClose.add(store);
        return store;
    }

    private static LeaseRequest any(String holder) {
        return new LeaseRequest(holder, List.of(CoreRequest.any()));
    }

    @Nested
    class Refuses {

        @Test
        void aLinkInPlaceOfTheDirectory() throws Exception {
            // given
            Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
            Files.createSymbolicLink(directory, elsewhere);

            // then
            refusal()
                    .withMessage(
                            "The lease table does not use %s: it is a link to %s, which another user may have planted."
                                    + " Remove it, or set neuron.test.lease.directory to another directory.",
                            directory.toRealPath().getParent().resolve("leases"), elsewhere);
            assertThat(elsewhere).isEmptyDirectory();
        }

        @Test
        void aLinkInPlaceOfAFile() throws Exception {
            // given
            LeaseDirectory.prepare(directory).close();
            Path target = Files.writeString(parent.resolve("target"), "precious");
            Files.createSymbolicLink(directory.resolve("leases-1"), target);

            // then
            refusal().withMessageContaining(directory.resolve("leases-1") + ": it is a link to " + target);
            assertThat(target).hasContent("precious");
        }

        @Test
        void aHardLinkToForeignFile() throws Exception {
            // given
            LeaseDirectory.prepare(directory).close();
            Path target = Files.writeString(parent.resolve("target"), "precious");
            Files.createLink(directory.resolve("leases-1"), target);

            // then
            refusal().withMessageContaining("it has a second name");
            assertThat(target).hasContent("precious");
        }

        @Test
        void aFileInPlaceOfTheDirectory() throws Exception {
            // given
            Files.createFile(directory);

            // then
            refusal().withMessageContaining("it is not a directory");
        }

        @Test
        void aDirectoryInPlaceOfAFile() throws Exception {
            // given
            LeaseDirectory.prepare(directory).close();
            Files.createDirectory(directory.resolve("leases-1"));

            // then
            refusal().withMessageContaining("it is not a file");
        }

        @Test
        void aDirectoryWritableByAllWithoutStickyBit() throws Exception {
            // given
            Files.createDirectory(directory);
            Files.setAttribute(directory, "unix:mode", 0777);

            // then
            refusal().withMessageContaining("its mode is 0777 without the sticky bit");
        }

        @Test
        void aDirectoryThatCannotBeCreated() {
            // given
            directory = Path.of("/proc/neuron-test-leases");

            // then
            refusal()
                    .withMessageStartingWith("The lease table cannot be kept in /proc/neuron-test-leases: ")
                    .withMessageContaining("neuron.test.lease.directory");
        }

        @Test
        void aReadOnlyDirectory() throws Exception {
            // given
            LeaseDirectory.prepare(directory).close();
            Files.setAttribute(directory, "unix:mode", 0555);
            assumeThat(Files.isWritable(directory))
                    .as("root may write everywhere")
                    .isFalse();

            // then
            refusal().withMessageContaining("access to " + directory + " is denied: its mode is 0555 and its owner");
        }

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void aFullDisk(boolean isFullAtOnce) throws Exception {
            // given
            Path small = Files.createDirectory(parent.resolve("small"));
            assumeThat(run("mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", small.toString()))
                    .as("mounting is allowed")
                    .isTrue();
            try {
                directory = small.resolve("leases");
                if (isFullAtOnce) {
                    fill(small);
                }

                // then
                refusal().withMessageContaining("No space left on device");
            } finally {
                run("umount", "-l", small.toString());
            }
        }
    }

    @Test
    void releasesCoresOnFullDisk() throws Exception {
        // given
        Path small = Files.createDirectory(parent.resolve("small"));
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small.toString()))
                .as("mounting is allowed")
                .isTrue();
        try {
            directory = small.resolve("leases");
            LeaseTable table = open();
            Lease lease = table.lease(any("test"), Duration.ZERO);

            // when
            fill(small);
            lease.close();

            // then
            assertThat(warnings).isEmpty();
            assertThat(table.lease(new LeaseRequest("next", List.of(CoreRequest.inARow(2))), Duration.ZERO)
                            .cores())
                    .hasSize(2);
            table.close();
        } finally {
            run("umount", "-l", small.toString());
        }
    }

    private static void fill(Path disk) throws IOException {
        FileStore store = Files.getFileStore(disk);
        try (FileChannel filler =
                FileChannel.open(disk.resolve("filler"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            filler.write(ByteBuffer.allocate((int) store.getUsableSpace()));
        }
        assertThat(store.getUsableSpace()).isZero();
    }

    private static boolean run(String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    @Nested
    class Damage {

        private ForkedJvmFixture otherJvm() throws Exception {
            ForkedJvmFixture jvm = new ForkedJvmFixture(root, directory);
            toClose.add(jvm);
            assertThat(jvm.next()).isEqualTo("ready");
            return jvm;
        }

        @Test
        void isReportedToEveryUserOfTable() throws Exception {
            // given
            LeaseTable table = open();
            Lease lease = table.lease(any("test"), Duration.ZERO);

            // when
            byte[] rubbish = "rubbish".repeat(80_000).getBytes(StandardCharsets.US_ASCII);
            Files.write(directory.resolve("leases-1"), rubbish, StandardOpenOption.WRITE);

            // then
            String damaged = "is damaged: another process has written to its file. End all JVMs that use it";
            assertThatExceptionOfType(LeaseTableException.class)
                    .isThrownBy(() -> table.lease(any("next"), Duration.ZERO))
                    .withMessageContaining(damaged);
            assertThat(lease.doubt())
                    .hasValueSatisfying(doubt -> assertThat(doubt).contains(damaged));
            refusal().withMessageContaining(damaged);
        }

        @Test
        void overwrittenSlotsKeepCoresUntilHolderEnds() throws Exception {
            // given
            LeaseTable table = open();
            LeaseStore other = store();
            new TableFixture(other).grant("other", CORES);

            // when
            overwriteContents();

            // then
            assertThatExceptionOfType(LeaseTimeoutException.class)
                    .isThrownBy(() -> table.lease(any("early"), Duration.ZERO));

            // when
            other.close();

            // then
            assertThat(table.lease(BOTH, Patience.LIMIT).cores()).hasSize(2);
        }

        private void overwriteContents() throws IOException {
            try (FileChannel file = FileChannel.open(directory.resolve("leases-1"), StandardOpenOption.WRITE)) {
                for (int slot : CoreSlots.slots(List.of(CORES))) {
                    int length = (int) (CoreSlots.end(slot) - CoreSlots.begin(slot));
                    byte[] rubbish = "rubbish!".repeat(length / 8).getBytes(StandardCharsets.US_ASCII);
                    file.write(ByteBuffer.wrap(rubbish), CoreSlots.begin(slot));
                }
            }
        }

        @Test
        void removedSocketOfJvmIsNoticed() throws Exception {
            // given
            LeaseTable table = open();
            Lease lease = table.lease(any("test"), Duration.ZERO);

            // when
            try (Stream<Path> sockets = Files.find(directory, 2, (file, kind) -> file.endsWith("bell"))) {
                Files.delete(sockets.findFirst().orElseThrow());
            }

            // then
            String unknown = "no longer contains this JVM";
            assertThat(lease.doubt())
                    .hasValueSatisfying(doubt -> assertThat(doubt).contains(unknown));
            assertThatExceptionOfType(LeaseTableException.class)
                    .isThrownBy(() -> table.lease(any("next"), Duration.ZERO))
                    .withMessageContaining(unknown);
        }

        @Test
        void truncatedFileIsNoticed() throws Exception {
            // given
            LeaseTable table = open();
            Lease lease = table.lease(any("test"), Duration.ZERO);

            // when
            try (FileChannel file = FileChannel.open(directory.resolve("leases-1"), StandardOpenOption.WRITE)) {
                file.truncate(10);
            }

            // then
            assertThat(lease.doubt()).isPresent();
            assertThatExceptionOfType(LeaseTableException.class)
                    .isThrownBy(() -> table.lease(any("next"), Duration.ZERO));
            lease.close();
            table.close();
            assertThat(warnings)
                    .isNotEmpty()
                    .allSatisfy(warning -> assertThat(warning).contains("The lease table"));
        }

        @Test
        void truncatedFileEndsWait() throws Exception {
            // given code that is compiled, which reports a fault of memory late
            LeaseTable table = open();
            table.lease(BOTH, Duration.ZERO);
            for (int i = 0; i < 1000; i++) {
                assertThatExceptionOfType(LeaseTimeoutException.class)
                        .isThrownBy(() -> table.lease(any("in vain"), Duration.ZERO));
            }
            CompletableFuture<Lease> waiting = CompletableFuture.supplyAsync(() -> {
                try {
                    return table.lease(any("waiting"), Duration.ofMinutes(10));
                } catch (InterruptedException never) {
                    throw new IllegalStateException(never);
                }
            });
            await().until(() ->
                    !LeaseOverview.of(directory).orElseThrow().waiting().isEmpty());

            // when
            try (FileChannel file = FileChannel.open(directory.resolve("leases-1"), StandardOpenOption.WRITE)) {
                file.truncate(10);
            }

            // then
            assertThat(waiting)
                    .failsWithin(Patience.LIMIT)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(LeaseTableException.class);
            table.close();
        }

        @Test
        void truncatedFileIsNotRepairedByNextJvm() throws Exception {
            // given
            open().close();
            Path file = directory.resolve("leases-1");
            try (FileChannel table = FileChannel.open(file, StandardOpenOption.WRITE)) {
                table.truncate(10);
            }

            // then
            refusal().withMessageContaining("is damaged: another process has written to its file");
            assertThat(file).hasSize(10);
        }

        @Test
        void replacedTableInUseIsNoticed() throws Exception {
            // given
            LeaseTable table = open();
            table.lease(any("test"), Duration.ZERO);
            otherJvm();
            Files.move(directory, parent.resolve("moved away"));

            // when
            otherJvm();

            // then
            assertThatExceptionOfType(LeaseTableException.class)
                    .isThrownBy(() -> table.lease(any("next"), Duration.ZERO))
                    .withMessageContaining("no longer contains this JVM: it was removed or replaced");
        }
    }

    @Nested
    class Removal {

        private ForkedJvmFixture holder() throws Exception {
            ForkedJvmFixture jvm = new ForkedJvmFixture(root, directory);
            toClose.add(jvm);
            assertThat(jvm.next()).isEqualTo("ready");
            jvm.tell("lease other 2");
            assertThat(jvm.next()).isEqualTo("0,1");
            return jvm;
        }

        private void remove() throws IOException {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }

        @Test
        void removedTableIsRefusedUntilHolderEnds() throws Exception {
            // given
            ForkedJvmFixture holder = holder();

            // when
            remove();

            // then
            for (int attempt = 0; attempt < 2; attempt++) {
                refusal()
                        .withMessage(
                                "The lease table in %s was removed while it was in use. At least one JVM that used it still runs"
                                        + " (pid %s), so it is unknown which cores are leased. Wait until it has ended, or end"
                                        + " it, and run again.",
                                directory.toRealPath(), holder.pid());
            }

            // when
            holder.kill();

            // then
            assertThat(open().lease(any("next"), Duration.ZERO).cores()).hasSize(1);
        }

        @Test
        void isNoticedByTheHolder() throws Exception {
            // given
            LeaseTable table = open();
            Lease lease = table.lease(any("test"), Duration.ZERO);
            assertThat(lease.doubt()).isEmpty();

            // when
            remove();

            // then
            assertThat(lease.doubt())
                    .hasValueSatisfying(doubt -> assertThat(doubt)
                            .contains("no longer contains this JVM: it was removed or replaced while it was in use."));
            assertThatExceptionOfType(LeaseTableException.class)
                    .isThrownBy(() -> table.lease(any("next"), Duration.ZERO))
                    .withMessageContaining("it was removed or replaced while it was in use");

            // when
            lease.close();

            // then
            assertThat(warnings).isEmpty();
        }
    }

    @Nested
    class Queue {

        @Test
        void dropsPassedOverRequestOfEndedJvm() throws Exception {
            // given
            LeaseTable table = open();
            LeaseStore stopped = store();
            stopped.tickets().pass(new TableFixture(stopped).enqueue("stopped", "a core", 1), true);

            // when
            stopped.close();
            table.lease(any("test"), Duration.ZERO).close();

            // then
            assertThat(LeaseOverview.of(directory).orElseThrow().waiting()).isEmpty();
        }

        @Test
        void warnsOnceOfEachPassedOverRequest() throws Exception {
            // given
            LeaseTable table = open();
            LeaseStore stopped = store();
            TableFixture requests = new TableFixture(stopped);
            Head first = requests.enqueue("stopped", "a core", 1);
            stopped.tickets().pass(first, true);

            // when
            table.lease(any("test"), Duration.ZERO).close();

            // then
            assertThat(warnings)
                    .singleElement()
                    .asString()
                    .endsWith(
                            "does not respond and is passed over: stopped waits there for a core. A debugger, a paused container or a signal has stopped it; it takes its turn when it continues.");

            // when
            table.lease(any("test"), Duration.ZERO).close();

            // then
            assertThat(warnings).hasSize(1);

            // given another request with the same slot and number
            stopped.tickets().leave(first);
            table.lease(any("test"), Duration.ZERO).close();
            Head next = requests.enqueue("stopped again", "a core", 1);
            while (next.slot() != first.slot()) {
                stopped.tickets().leave(next);
                next = requests.enqueue("stopped again", "a core", 1);
            }
            assertThat(next.number()).isEqualTo(first.number());
            stopped.tickets().pass(next, true);

            // when
            table.lease(any("test"), Duration.ZERO).close();

            // then
            assertThat(warnings).hasSize(2).last().asString().contains("stopped again waits there");
        }

        @Test
        void keepsNewRequestInReusedSlotOfStoppedJvm() {
            // given
            LeaseStore stopped = store();
            Head old = new TableFixture(stopped).enqueue("stopped", "a core", 1);
            stopped.close();
            LeaseStore other = store();
            TableFixture others = new TableFixture(other);
            others.enqueue("first", "a core", 1);
            assertThat(other.tickets().removeDead(old)).isTrue();
            Head request = others.enqueue("other", "a core", 1);
            while (request.slot() != old.slot()) {
                request = others.enqueue("other", "a core", 1);
            }

            // when it goes on
            stopped.tickets().leave(old);
            stopped.tickets().pass(old, true);

            // then
            assertThat(other.tickets().heads()).contains(request);
        }
    }

    /** Interrupts the thread of a test after some time, as {@code @Timeout} does. */
    private static void interrupt(Callable<?> test, long after) throws Exception {
        FutureTask<?> result = new FutureTask<>(test);
        Thread thread = new Thread(result);
        thread.start();
        LockSupport.parkNanos(after);
        thread.interrupt();
        try {
            result.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            assertThat(failed).hasCauseInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void survivesInterruptAtAnyMomentOfJvm() throws Exception {
        // given
        LeaseTable other = open();
        Callable<Boolean> jvm = () -> {
            try (LeaseTable table = LeaseTable.builder(new HostFixture(root).host())
                            .directory(directory)
                            .open();
                    Lease lease = table.lease(BOTH, Patience.LIMIT)) {
                return lease.programLock().isPresent();
            }
        };
        boolean canLock = jvm.call();
        long began = System.nanoTime();
        jvm.call();
        long duration = System.nanoTime() - began;

        for (int i = 0; i < 150; i++) {
            // when
            interrupt(
                    () -> assertThat(jvm.call()).isEqualTo(canLock),
                    ThreadLocalRandom.current().nextLong(duration));

            // then
            other.lease(BOTH, Patience.LIMIT).close();
        }
        assertThat(directory.toFile().list()).hasSize(2);
    }

    @Test
    void staysExclusiveAfterInterruptAtAnyMomentOfLease() throws Exception {
        // given
        LeaseTable table = open();
        LeaseTable other = open();
        Callable<Boolean> test = () -> {
            try (Lease lease = table.lease(BOTH, Patience.LIMIT)) {
                return lease.programLock().isPresent();
            }
        };
        boolean canLock = test.call();
        for (int i = 0; i < 300; i++) {
            Lease before = other.lease(BOTH, Duration.ZERO);

            // when
            Thread release = new Thread(before::close);
            release.start();
            interrupt(() -> assertThat(test.call()).isEqualTo(canLock), TimeUnit.MICROSECONDS.toNanos(10L * i));
            release.join();

            // then
            try (Lease next = table.lease(BOTH, Patience.LIMIT)) {
                assertThat(next.doubt()).isEmpty();
                assertThatExceptionOfType(LeaseTimeoutException.class)
                        .isThrownBy(() -> other.lease(any("late"), Duration.ZERO));
            }
        }
        assertThat(warnings).isEmpty();
    }

    @Test
    void worksOnInterruptedThread() throws Exception {
        // given
        LeaseTable table = open();
        Thread.currentThread().interrupt();

        // when
        Lease lease = table.lease(any("test"), Duration.ZERO);
        lease.close();

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(warnings).isEmpty();
        assertThat(table.lease(new LeaseRequest("next", List.of(CoreRequest.inARow(2))), Duration.ZERO)
                        .cores())
                .hasSize(2);
    }

    @Test
    void createsDirectoryWithParents() throws Exception {
        // given
        directory = parent.resolve("a/b/leases");

        // when
        open();

        // then
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("leases-1")
                    .hasSize(2);
        }
    }
}
