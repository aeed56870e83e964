package dev.neurontest.benchmark;

import dev.neurontest.profile.ProfileEvents;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** A benchmark that reads the events of one large profile in a JVM with a small heap, alternating with {@link TokenLoop}. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 2)
@Measurement(iterations = 9)
public class EventBenchmark {

    static final int HEAP_MEGABYTES = 64;

    static final String FILE = "benchmark.events";

    /** Returns the file that the benchmark and the token loop read. */
    static Path file() {
        return Path.of(System.getProperty(FILE));
    }

    /** The processor time of the last reading, which other processes disturb less than the wall time. */
    static volatile double lastProcessorMillis;

    @Benchmark
    public ProfileEvents read() {
        SmallHeap.require(HEAP_MEGABYTES);
        double before = processorMillis();
        ProfileEvents events = ProfileEvents.read(file());
        lastProcessorMillis = processorMillis() - before;
        return events;
    }

    /** Returns the processor time of this thread so far. */
    static double processorMillis() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e6;
    }
}
