package dev.neurontest.internal.lease.table;

import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.store.TicketSlots.Head;
import dev.neurontest.internal.text.DurationText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** A request of this JVM in the queue, until it has its lease or leaves. Its fields are used only with the lock of its JVM. */
final class Waiter {

    final CorePlacement placement;
    final Condition condition;
    final Thread thread = Thread.currentThread();
    final long asked = System.nanoTime();

    /** What it was last said to wait for; null as long as nothing was said. */
    @Nullable
    String told;

    /** When to say it next, if it has changed by then; since it was asked. */
    Duration tellAfter = Duration.ZERO;

    /** How long to keep quiet after that. */
    Duration quiet = Duration.ZERO;

    /** The place in the queue; null as long as the request has none. */
    @Nullable
    Head head;

    @Nullable
    GrantedLease lease;

    /** Why it cannot be served any more. */
    @Nullable
    RuntimeException failure;

    /** A health check could help. */
    boolean wantsHealthCheck;

    /** It will not be served unless a core comes out of quarantine. */
    boolean hopeless;

    /** It could be served if no process outside the table had a device open. */
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

    /** Until a moment of {@link System#nanoTime()}. */
    Duration waited(long now) {
        return Duration.ofNanos(now - asked);
    }

    /** A wait in words, in whole seconds. */
    static String text(Duration waited) {
        return DurationText.limit(waited.truncatedTo(ChronoUnit.SECONDS));
    }

    void fail(RuntimeException why) {
        failure = why;
        condition.signal();
    }
}
