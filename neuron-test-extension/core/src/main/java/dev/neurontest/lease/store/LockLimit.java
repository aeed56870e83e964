package dev.neurontest.lease.store;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.apiguardian.api.API;

/**
 * The limit of a wait for the lock of a table.
 *
 * @param atMost how long to wait
 * @param interruptible whether an interrupt of the thread ends the wait
 * @param pause makes a pause of so many nanoseconds, in which other threads of this JVM can wait for the lock as well
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record LockLimit(Duration atMost, boolean interruptible, LongConsumer pause) {

    /** A time in which each JVM that runs gives the lock back, also on a busy machine: no limit is shorter. */
    public static final Duration SHORTEST = Duration.ofSeconds(1);

    /**
     * Makes no limit shorter than {@link #SHORTEST}.
     *
     * @param atMost how long to wait
     * @param interruptible whether an interrupt of the thread ends the wait
     * @param pause makes a pause of so many nanoseconds
     */
    public LockLimit {
        atMost = atMost.compareTo(SHORTEST) < 0 ? SHORTEST : atMost;
    }

    /**
     * Returns a limit for a thread that keeps no other thread waiting.
     *
     * @param atMost how long to wait
     * @return the limit
     */
    public static LockLimit of(Duration atMost) {
        return new LockLimit(atMost, false, LockSupport::parkNanos);
    }
}
