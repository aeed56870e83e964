package dev.neurontest.runtime;

import dev.neurontest.internal.text.DurationText;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.apiguardian.api.API;

/** How often a model was executed, how that ended, and how long the host waited for it each time. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ExecutionStatistics {

    /** Three digits of every latency are right. */
    private static final int DIGITS = 3;

    private final int wanted;
    private final Histogram latencies = new Histogram(DIGITS);
    private final Map<RuntimeStatus, Long> failures = new TreeMap<>(Comparator.comparingInt(RuntimeStatus::code));

    ExecutionStatistics(int wanted) {
        this.wanted = wanted;
    }

    void count(RuntimeStatus status, long nanoseconds) {
        latencies.recordValue(Math.max(0, nanoseconds));
        if (status.code() != 0) {
            failures.merge(status, 1L, Long::sum);
        }
    }

    /**
     * How many there were, the failed ones included.
     *
     * @return their number
     */
    public long executions() {
        return latencies.getTotalCount();
    }

    /**
     * How many failed.
     *
     * @return by status, in the order of their numbers; empty when none did
     */
    public Map<RuntimeStatus, Long> failures() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(failures));
    }

    /**
     * A latency of {@code nrt_execute} as the host saw it, to three digits.
     *
     * @param percentile from 0 to 100
     * @return so many percent took no longer; zero without executions
     */
    public Duration percentile(double percentile) {
        return Duration.ofNanos(latencies.getValueAtPercentile(percentile));
    }

    /**
     * The numbers that are asked for most.
     *
     * @return one line
     */
    @Override
    public String toString() {
        String failed = failures.isEmpty()
                ? ""
                : failures.entrySet().stream()
                        .map(each -> each.getKey() + " x" + each.getValue())
                        .collect(Collectors.joining(", ", ", failed: ", ""));
        return "%s of %s executions, p50 %s, p99 %s, max %s%s"
                .formatted(
                        executions(),
                        wanted,
                        DurationText.exact(percentile(50)),
                        DurationText.exact(percentile(99)),
                        DurationText.exact(percentile(100)),
                        failed);
    }
}
