package dev.neurontest.fake.internal.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.FakeView;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of mounts under load and over a long time. */
@Tag("stress")
class FuseStressIT {

    private static final int CYCLES = 1000;
    private static final int READERS = 50;

    @TempDir
    private Path temporary;

    @BeforeEach
    void requireFuse() {
        FuseFixture.requireFuse();
    }

    @Test
    void aThousandMountsLeaveNothing() throws IOException {
        int descriptors = descriptors();
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("trn1.2xlarge").start()) {
            for (int i = 0; i < CYCLES; i++) {
                try (FuseMount mount = FuseMount.open(host.tree(), "sys", temporary)) {
                    assertThat(mount.point().resolve("devices/virtual/neuron_device/neuron0/core_count"))
                            .hasContent("2");
                }
                assertThat(temporary).isEmptyDirectory();
            }
        }
        assertThat(FuseFixture.mounts()).noneMatch(mount -> mount.point().equals(temporary.toString()));
        assertThat(descriptors()).isLessThan(descriptors + 20);
        // A pool reports its end shortly before its last thread ends.
        Patience.await()
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .noneMatch(thread -> thread.getName().startsWith("neuron-fake-fuse")));
    }

    private static int descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return (int) open.count();
        }
    }

    /**
     * Verifies that a reader sees only values that were current during the read, and never an older value after a newer
     * one.
     */
    @Test
    void fiftyReadersUnderChangeNeverSeeAWrongValue() throws Exception {
        readUnderChange(Duration.ofSeconds(5));
    }

    @Test
    @Tag("long")
    void fiftyReadersNeverSeeAWrongValueForAMinute() throws Exception {
        readUnderChange(Duration.ofMinutes(1));
    }

    private static void readUnderChange(Duration reading) throws Exception {
        AtomicLong begun = new AtomicLong();
        AtomicLong done = new AtomicLong();
        AtomicLong reads = new AtomicLong();
        long end = System.nanoTime() + reading.toNanos();
        ExecutorService readers = Executors.newFixedThreadPool(READERS);
        try (FakeNeuronHost host = FakeNeuronHost.builder()
                        .instance("trn1.2xlarge")
                        .requireView(FakeView.FUSE)
                        .start();
                FakeProcess process = host.openProcess(host.device(0).core(0))) {
            Path file = host.directory()
                    .resolve("sys/devices/virtual/neuron_device/neuron0/neuron_core0/stats/status/success/total");
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                boolean keepOpen = i % 2 == 0;
                all.add(readers.submit(() -> {
                    try (FileChannel open = FileChannel.open(file)) {
                        while (System.nanoTime() < end) {
                            long least = done.get();
                            String text = keepOpen ? read(open) : Files.readString(file);
                            long most = begun.get();
                            assertThat(Long.parseLong(text.strip())).isBetween(least, most);
                            assertThat(text).endsWith("\n");
                            reads.incrementAndGet();
                        }
                    }
                    return null;
                }));
            }
            while (System.nanoTime() < end) {
                begun.incrementAndGet();
                process.execute(host.device(0).core(0), NrtStatus.NRT_SUCCESS, 1);
                done.incrementAndGet();
                LockSupport.parkNanos(200_000);
            }
            for (Future<?> reader : all) {
                reader.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            readers.shutdownNow();
        }
        assertThat(reads).hasValueGreaterThan(READERS);
    }

    private static String read(FileChannel file) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        file.read(buffer, 0);
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
    }
}
