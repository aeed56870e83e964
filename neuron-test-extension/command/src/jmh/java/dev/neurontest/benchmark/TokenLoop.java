package dev.neurontest.benchmark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A JMH profiler that reads every token of the file by Jackson after each iteration in the same JVM: the lower bound for reading
 * the file.
 */
public final class TokenLoop implements InternalProfiler {

    static final String MILLIS = "tokens";
    static final String PROCESSOR = "processor";
    static final String HEAP = "heap";

    private static final JsonFactory JSON = new JsonFactory();

    /** Creates the profiler; JMH does so in each JVM. */
    public TokenLoop() {}

    @Override
    public String getDescription() {
        return "The same file read token by token, and the heap that the reading before it took";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        System.gc();
        heapPools().forEach(MemoryPoolMXBean::resetPeakUsage);
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double mebibytes = heapPools().stream()
                        .mapToLong(pool -> pool.getPeakUsage().getUsed())
                        .sum()
                / (double) (1 << 20);
        double processorBefore = EventBenchmark.processorMillis();
        long start = System.nanoTime();
        long tokens = tokens();
        double millis = (System.nanoTime() - start) / 1e6;
        double processor = EventBenchmark.processorMillis() - processorBefore;
        if (tokens == 0) {
            throw new IllegalStateException("the file is empty, which is no measure of anything");
        }
        return List.of(
                new ScalarResult(MILLIS, millis, "ms/op", AggregationPolicy.AVG),
                new ScalarResult(
                        PROCESSOR, EventBenchmark.lastProcessorMillis / processor, "of tokens", AggregationPolicy.AVG),
                new ScalarResult(HEAP, mebibytes, "MiB", AggregationPolicy.MAX));
    }

    private static long tokens() {
        try (InputStream stream = Files.newInputStream(EventBenchmark.file());
                JsonParser json = JSON.createParser(ObjectReadContext.empty(), stream)) {
            long tokens = 0;
            while (json.nextToken() != null) {
                tokens++;
            }
            return tokens;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<MemoryPoolMXBean> heapPools() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
    }
}
