package dev.neurontest.benchmark;

import dev.neurontest.profile.event.ProfileEvents;
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

/** Reading the events of one large profile in a JVM with little memory; {@link TokenLoop} takes turns with it. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 2)
@Measurement(iterations = 9)
public class EventBenchmark {

    static final int HEAP_MEGABYTES = 64;

    static final String FILE = "benchmark.events";

    /** The file that both read. */
    static Path file() {
        return Path.of(System.getProperty(FILE));
    }

    /** What the last reading took of a processor: on a busy machine it says more than the time on the wall. */
    static volatile double lastProcessorMillis;

    @Benchmark
    public ProfileEvents read() {
        SmallHeap.require(HEAP_MEGABYTES);
        double before = processorMillis();
        ProfileEvents events = ProfileEvents.read(file());
        lastProcessorMillis = processorMillis() - before;
        return events;
    }

    /** By this thread since it began. */
    static double processorMillis() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e6;
    }
}
