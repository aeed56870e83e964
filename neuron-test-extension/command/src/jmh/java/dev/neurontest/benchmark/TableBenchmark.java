package dev.neurontest.benchmark;

import dev.neurontest.profile.ProfileEvents;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** A benchmark that reads the events of a large table of instructions in a JVM with a small heap, alternating with {@link BareQuery}. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 1)
@Measurement(iterations = 9)
public class TableBenchmark {

    static final int HEAP_MEGABYTES = 64;

    static final String FOLDER = "benchmark.tables";

    /** Returns the folder of the tables that the benchmark and the plain query read. */
    static Path folder() {
        return Path.of(System.getProperty(FOLDER));
    }

    @Benchmark
    public ProfileEvents read() {
        SmallHeap.require(HEAP_MEGABYTES);
        return ProfileEvents.read(folder());
    }
}
