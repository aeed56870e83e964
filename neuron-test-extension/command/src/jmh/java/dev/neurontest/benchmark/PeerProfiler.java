package dev.neurontest.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * A JMH profiler that runs the loops in other languages between the iterations of a benchmark, to have other processes disturb both
 * alike.
 */
public final class PeerProfiler implements InternalProfiler {

    private @Nullable List<PeerLoop> loops;

    /** Creates the profiler; JMH does so in each JVM. */
    public PeerProfiler() {}

    @Override
    public String getDescription() {
        return "The same files read by loops in other languages";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {}

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        try {
            if (loops == null) {
                String name = benchmark.getBenchmark();
                loops = PeerLoop.start(BenchmarkFolders.given(), name.substring(name.lastIndexOf('.') + 1));
            }
            List<ScalarResult> results = new ArrayList<>();
            for (PeerLoop loop : loops) {
                results.add(new ScalarResult(loop.name(), loop.medianMillis(), "ms/op", AggregationPolicy.AVG));
            }
            return results;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
