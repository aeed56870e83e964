package dev.neurontest.internal.print.stream;

import dev.neurontest.internal.runtime.stream.DebugStream;
import java.time.Duration;
import java.util.Collection;
import java.util.function.ToLongFunction;
import org.apiguardian.api.API;

/**
 * How debug streams are read.
 *
 * @param settleDelay for how long a stream must be empty before a test's prints are taken to be complete
 * @param settleTimeout for how long that is waited for while nothing comes, or while something is executed
 * @param capacity how many events a stream can hold before it drops some; 0 when that is not known
 * @param executions counts executions, so that nothing is waited for when there was none
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record StreamOptions(Duration settleDelay, Duration settleTimeout, long capacity, Executions executions) {

    /**
     * Counts the executions of cores of this process, from 0.
     *
     * @param begun how many have begun on all of them; -1 when they are not counted
     * @param ended how many have ended
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Executions(ToLongFunction<Collection<Integer>> begun, ToLongFunction<Collection<Integer>> ended) {

        /** They are not counted. */
        static final Executions UNKNOWN = new Executions(cores -> -1, cores -> -1);

        long begun(Collection<Integer> cores) {
            return begun.applyAsLong(cores);
        }

        long ended(Collection<Integer> cores) {
            return ended.applyAsLong(cores);
        }
    }

    /** Empty for 50 ms, within 2 s; executions are not counted, and the capacity is not known. */
    public static final StreamOptions DEFAULTS =
            new StreamOptions(Duration.ofMillis(50), Duration.ofSeconds(2), 0, Executions.UNKNOWN);

    /**
     * Another way to become quiet.
     *
     * @param delay for how long a stream must be empty
     * @param timeout for how long that is waited for
     * @return with these
     */
    public StreamOptions settle(Duration delay, Duration timeout) {
        return new StreamOptions(delay, timeout, capacity, executions);
    }

    /**
     * Who counts executions.
     *
     * @param counted by the runtime
     * @return with that
     */
    public StreamOptions executions(Executions counted) {
        return new StreamOptions(settleDelay, settleTimeout, capacity, counted);
    }

    /**
     * What a stream can hold.
     *
     * @param events before it drops some; 0 when that is not known
     * @return with that
     */
    public StreamOptions capacity(long events) {
        return new StreamOptions(settleDelay, settleTimeout, events, executions);
    }

    /** How many events a stream may hold, as far as that is known. */
    long held() {
        return capacity > 0 ? capacity : DebugStream.CAPACITY;
    }
}
