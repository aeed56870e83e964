package dev.neurontest.benchmark;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.table.LeaseTable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A benchmark that leases a core and returns it. It is compared with locking and unlocking a file twice, the minimum
 * for a table in files.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(2)
@Warmup(iterations = 8, time = 1)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class LeaseBenchmark {

    static final int THREADS = 4;

    private static final LeaseRequest REQUEST = new LeaseRequest("benchmark", List.of(CoreRequest.any()));

    /** Lease tables with 32 cores, and with half as many cores as threads. */
    @State(Scope.Benchmark)
    public static class Tables {

        LeaseTable memory;
        LeaseTable directory;
        LeaseTable scarceMemory;
        LeaseTable scarceDirectory;
        private Path files;

        @Setup
        public void open() throws IOException {
            files = Files.createTempDirectory("leases");
            NeuronHost host = host("host", 16);
            NeuronHost small = host("small", 1);
            memory = LeaseTable.builder(host).open();
            directory =
                    LeaseTable.builder(host).directory(files.resolve("table")).open();
            scarceMemory = LeaseTable.builder(small).open();
            scarceDirectory =
                    LeaseTable.builder(small).directory(files.resolve("scarce")).open();
        }

        private NeuronHost host(String name, int devices) {
            return new HostFixture(files.resolve(name))
                    .devices(HostFixture.Kind.TRN1, IntStream.range(0, devices).toArray())
                    .host();
        }

        @TearDown
        public void close() throws IOException {
            memory.close();
            directory.close();
            scarceMemory.close();
            scarceDirectory.close();
            Folders.delete(files);
        }
    }

    /** A file with a lock. */
    @State(Scope.Benchmark)
    public static class LockedFile {

        private Path file;
        private FileChannel channel;

        @Setup
        public void open() throws IOException {
            file = Files.createTempFile("lock", "");
            channel = FileChannel.open(file, StandardOpenOption.WRITE);
        }

        /**
         * Locks and unlocks the file on one thread at a time, because two threads of one process cannot lock the same
         * file.
         */
        synchronized void lockAndUnlock() throws IOException {
            channel.lock().release();
        }

        @TearDown
        public void close() throws IOException {
            channel.close();
            Files.delete(file);
        }
    }

    private static Lease leaseAndRelease(LeaseTable table) throws InterruptedException {
        try (Lease lease = table.lease(REQUEST, Duration.ofMinutes(1))) {
            return lease;
        }
    }

    @Benchmark
    public Lease inMemory(Tables tables) throws InterruptedException {
        return leaseAndRelease(tables.memory);
    }

    @Benchmark
    public Lease inDirectory(Tables tables) throws InterruptedException {
        return leaseAndRelease(tables.directory);
    }

    @Benchmark
    public void locksOfAFile(LockedFile file) throws IOException {
        file.lockAndUnlock();
        file.lockAndUnlock();
    }

    @Benchmark
    @Threads(THREADS)
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public Lease contendedInMemory(Tables tables) throws InterruptedException {
        return leaseAndRelease(tables.scarceMemory);
    }

    @Benchmark
    @Threads(THREADS)
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public Lease contendedInDirectory(Tables tables) throws InterruptedException {
        return leaseAndRelease(tables.scarceDirectory);
    }

    @Benchmark
    @Threads(THREADS)
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public void contendedLocksOfAFile(LockedFile file) throws IOException {
        file.lockAndUnlock();
        file.lockAndUnlock();
    }
}
