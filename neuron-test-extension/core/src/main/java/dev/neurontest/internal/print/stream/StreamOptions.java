package dev.neurontest.internal.print.stream;

import dev.neurontest.internal.runtime.stream.DebugStream;
import java.time.Duration;
import java.util.Collection;
import java.util.function.ToLongFunction;
import org.apiguardian.api.API;

/**
 * Options for reading debug streams.
 *
 * @param settleDelay time without events after which the prints of a test count as complete
 * @param settleTimeout maximum time to wait for this while no events arrive, or while an execution is running
 * @param capacity number of events that a stream can hold before it drops some; 0 when unknown
 * @param executions counters of executions, to avoid waiting when no execution has run
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record StreamOptions(Duration settleDelay, Duration settleTimeout, long capacity, Executions executions) {

    /**
     * Counters of the executions on cores of this process, numbered from 0.
     *
     * @param begun number of started executions on all given cores; -1 when they are not counted
     * @param ended number of finished executions
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Executions(ToLongFunction<Collection<Integer>> begun, ToLongFunction<Collection<Integer>> ended) {

        /** Counters for a runtime that does not count executions. */
        static final Executions UNKNOWN = new Executions(cores -> -1, cores -> -1);

        long begun(Collection<Integer> cores) {
            return begun.applyAsLong(cores);
        }

        long ended(Collection<Integer> cores) {
            return ended.applyAsLong(cores);
        }
    }

    /** The defaults: empty for 50 ms, within 2 s; executions are not counted, and the capacity is unknown. */
    public static final StreamOptions DEFAULTS =
            new StreamOptions(Duration.ofMillis(50), Duration.ofSeconds(2), 0, Executions.UNKNOWN);

    /**
     * Returns options with other settling times.
     *
     * @param delay time for which a stream must be empty
     * @param timeout maximum time to wait for this
     */
    public StreamOptions settle(Duration delay, Duration timeout) {
        return new StreamOptions(delay, timeout, capacity, executions);
    }

    /** Returns options with the execution counters of a runtime. */
    public StreamOptions executions(Executions counted) {
        return new StreamOptions(settleDelay, settleTimeout, capacity, counted);
    }

    /**
     * Returns options with another capacity.
     *
     * @param events capacity of a stream before it drops events; 0 when unknown
     */
    public StreamOptions capacity(long events) {
        return new StreamOptions(settleDelay, settleTimeout, events, executions);
    }

    /** Returns the capacity of a stream, or the default capacity when it is unknown. */
    long held() {
        return capacity > 0 ? capacity : DebugStream.CAPACITY;
    }
}
