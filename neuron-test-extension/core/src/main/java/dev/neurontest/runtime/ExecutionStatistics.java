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

/** Statistics of repeated executions of a model: their number, failures and latencies as measured by the host. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ExecutionStatistics {

    /** Number of significant digits of each latency. */
    private static final int DIGITS = 3;

    private final int expectedEvents;
    private final Histogram latencies = new Histogram(DIGITS);
    private final Map<RuntimeStatus, Long> failures = new TreeMap<>(Comparator.comparingInt(RuntimeStatus::code));

    ExecutionStatistics(int expectedEvents) {
        this.expectedEvents = expectedEvents;
    }

    void count(RuntimeStatus status, long nanoseconds) {
        latencies.recordValue(Math.max(0, nanoseconds));
        if (status.code() != 0) {
            failures.merge(status, 1L, Long::sum);
        }
    }

    /**
     * Returns the number of executions, including the failed ones.
     *
     * @return their number
     */
    public long executions() {
        return latencies.getTotalCount();
    }

    /**
     * Returns the number of failed executions.
     *
     * @return counts by status, ordered by status number; empty without failures
     */
    public Map<RuntimeStatus, Long> failures() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(failures));
    }

    /**
     * Returns a percentile of the latency of {@code nrt_execute} as measured by the host, with three significant digits.
     *
     * @param percentile from 0 to 100
     * @return upper limit of the latency for this percentage of executions; zero without executions
     */
    public Duration percentile(double percentile) {
        return Duration.ofNanos(latencies.getValueAtPercentile(percentile));
    }

    /**
     * Returns the most important numbers.
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
                        expectedEvents,
                        DurationText.exact(percentile(50)),
                        DurationText.exact(percentile(99)),
                        DurationText.exact(percentile(100)),
                        failed);
    }
}
