package dev.neurontest.print;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.apiguardian.api.API;

/**
 * How debug streams are read.
 *
 * @param memory bytes of prints that a test may have on the heap; more of them go to a file
 * @param largest bytes of a tensor that may be on the heap
 * @param settleDelay for how long a stream must be empty before a test's prints are taken to be complete
 * @param settleTimeout for how long that is waited for
 * @param executions counts executions that have ended, so that nothing is waited for when there was none; constant -1 when
 *     nobody counts them
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record StreamOptions(
        long memory, int largest, Duration settleDelay, Duration settleTimeout, LongSupplier executions) {

    /** 256 MiB in memory, tensors of 1 MiB at most, empty for 50 ms, within 2 s; executions are not counted. */
    public static final StreamOptions DEFAULTS =
            new StreamOptions(256L << 20, 1 << 20, Duration.ofMillis(50), Duration.ofSeconds(2), () -> -1);

    /**
     * Other bounds of memory.
     *
     * @param bytes of prints that a test may have on the heap
     * @param ofTensor bytes of a tensor that may be there
     * @return with these
     */
    public StreamOptions memory(long bytes, int ofTensor) {
        return new StreamOptions(bytes, ofTensor, settleDelay, settleTimeout, executions);
    }

    /**
     * Another way to become quiet.
     *
     * @param delay for how long a stream must be empty
     * @param timeout for how long that is waited for
     * @return with these
     */
    public StreamOptions settle(Duration delay, Duration timeout) {
        return new StreamOptions(memory, largest, delay, timeout, executions);
    }

    /**
     * Who counts executions.
     *
     * @param ended how many have ended so far
     * @return with that
     */
    public StreamOptions executions(LongSupplier ended) {
        return new StreamOptions(memory, largest, settleDelay, settleTimeout, ended);
    }
}
