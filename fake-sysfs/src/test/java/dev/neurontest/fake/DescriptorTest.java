package dev.neurontest.fake;

import static dev.neurontest.fake.HostFixture.DEVICES;
import static dev.neurontest.fake.HostFixture.host;
import static dev.neurontest.fake.HostFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests of an open file: its access mode, its operations and its signals. */
class DescriptorTest {

    private static final String MEMORY = "neuron0/neuron_core0/stats/memory_usage/device_mem/tensors/";

    @AutoClose
    private final FakeNeuronHost host = host("trn2.3xlarge", "driver-2.29");

    private FakeDescriptor open(String file, FakeAccess access) throws IOException {
        return host.tree().open(DEVICES + file, access);
    }

    private static void assertErrno(Errno errno, ThrowingCallable use) {
        assertThatThrownBy(use)
                .isInstanceOfSatisfying(
                        FakeErrnoException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    @Test
    void ordinaryUserNeedsPermissionForOthers() throws IOException {
        try (FakeNeuronHost other = FakeNeuronHost.builder()
                .layout("driver-2.x")
                .reader(FakeReader.ORDINARY_USER)
                .start()) {
            assertThatThrownBy(() -> other.tree().open(DEVICES + "neuron0/core_count", FakeAccess.READ))
                    .isInstanceOf(AccessDeniedException.class);
            assertThatThrownBy(() -> other.tree().open(DEVICES + "neuron0/info/notify_delay", FakeAccess.READ_WRITE))
                    .isInstanceOf(AccessDeniedException.class);
            other.tree()
                    .open(DEVICES + "neuron0/info/notify_delay", FakeAccess.READ)
                    .close();
        }
    }

    @Test
    void refusesAccessNotRequestedAtOpen() throws IOException {
        try (FakeDescriptor reading = open(MEMORY + "total", FakeAccess.READ);
                FakeDescriptor writing = open(MEMORY + "total", FakeAccess.WRITE)) {
            assertErrno(Errno.EBADF, () -> reading.write(new byte[] {'0'}));
            assertErrno(Errno.EBADF, writing::read);
        }
    }

    @Test
    void closedDescriptorGetsNoSignalAndRefusesUse() throws IOException {
        FakeDescriptor total = open(MEMORY + "total", FakeAccess.READ_WRITE);
        AtomicInteger told = new AtomicInteger();
        total.onSignal(told::incrementAndGet);
        write(host, "neuron0/info/notify_delay", "0");

        // when
        total.close();
        total.close();

        // then
        write(host, MEMORY + "total", "0");
        assertThat(told).hasValue(0);
        assertThat(total.signalled()).isFalse();
        assertErrno(Errno.EBADF, total::read);
        assertErrno(Errno.EBADF, () -> total.write(new byte[] {'0'}));
    }

    @Test
    void closedDescriptorIsGarbageCollected() throws IOException {
        // given
        WeakReference<FakeDescriptor> closed = new WeakReference<>(open(MEMORY + "total", FakeAccess.READ));
        closed.get().onSignal(() -> {});

        // when
        closed.get().close();

        // then
        await().until(() -> {
            System.gc();
            return closed.get() == null;
        });
    }

    @Test
    void failedReadConsumesTheSignal() throws IOException {
        try (FakeDescriptor count = open("neuron0/core_count", FakeAccess.READ)) {
            host.fault(Fault.errno(DEVICES + "neuron0/core_count", Errno.EIO));

            // when
            assertErrno(Errno.EIO, count::read);

            // then
            assertThat(count.signalled()).isFalse();
        }
    }

    @Test
    void eventSignalsEachDescriptorUntilItReads() throws IOException {
        write(host, "neuron0/info/notify_delay", "0");
        try (FakeDescriptor one = open(MEMORY + "total", FakeAccess.READ);
                FakeDescriptor another =
                        host.tree().open("sys/class/neuron_device/" + MEMORY + "total", FakeAccess.READ)) {
            one.read();
            another.read();

            // when
            write(host, MEMORY + "total", "0");

            // then
            assertThat(one.signalled()).isTrue();
            assertThat(another.signalled()).isTrue();

            // when
            one.read();

            // then
            assertThat(one.signalled()).isFalse();
            assertThat(another.signalled()).isTrue();
        }
    }

    @Test
    void eventDuringAReadIsNotLost() throws Exception {
        write(host, "neuron0/info/notify_delay", "0");
        try (FakeProcess process = host.openProcess(host.device(0).core(0));
                FakeDescriptor total = open(MEMORY + "total", FakeAccess.READ);
                FakeFault slow = host.fault(Fault.slow(DEVICES + MEMORY + "total", Duration.ofSeconds(2)))) {
            CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> {
                try {
                    total.read();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            await().pollInterval(Duration.ofMillis(1)).until(slow::triggered);

            // when
            process.allocate(host.device(0).core(0), "tensors", 4096);

            // then
            assertThat(reading).isNotDone();
            reading.join();
            assertThat(total.signalled()).isTrue();
        }
    }
}
