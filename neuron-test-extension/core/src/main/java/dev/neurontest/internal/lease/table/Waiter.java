package dev.neurontest.internal.lease.table;

import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.store.TicketSlots.Head;
import dev.neurontest.internal.text.DurationText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** A request of this JVM in the queue, until it has its lease or leaves. Its fields need the lock of its JVM. */
final class Waiter {

    final CorePlacement placement;
    final Condition condition;
    final Thread thread = Thread.currentThread();
    final long requestedAt = System.nanoTime();

    /** The last reported reasons of the wait; null before the first report. */
    @Nullable
    String reportedReasons;

    /** The minimum wait for the next report of changed reasons. */
    Duration nextReport = Duration.ZERO;

    /** The minimum interval before the next report. */
    Duration quiet = Duration.ZERO;

    /** The slot in the queue; null while the request has none. */
    @Nullable
    Head head;

    @Nullable
    GrantedLease lease;

    /** The reason why the request fails. */
    @Nullable
    RuntimeException failure;

    /** True if a health check might help. */
    boolean needsHealthCheck;

    /** True if the request cannot be served unless a core leaves the quarantine. */
    boolean hopeless;

    /** True if the request could be served if no process without a lease had a device open. */
    boolean behindOutsiders;

    Waiter(CorePlacement placement, Condition condition) {
        this.placement = placement;
        this.condition = condition;
    }

    LeaseRequest request() {
        return placement.request();
    }

    Duration waited() {
        return waited(System.nanoTime());
    }

    /** Returns the time waited until a given {@link System#nanoTime()}. */
    Duration waited(long now) {
        return Duration.ofNanos(now - requestedAt);
    }

    /** Formats a wait in whole seconds. */
    static String text(Duration waited) {
        return DurationText.limit(waited.truncatedTo(ChronoUnit.SECONDS));
    }

    void fail(RuntimeException why) {
        failure = why;
        condition.signal();
    }
}
