package dev.neurontest.internal.lease.table;

import java.time.Duration;

/**
 * Says what keeps a request waiting: after a while, and again when that has changed. The longer it waits, the longer is the quiet
 * between two lines, up to half a minute, so that a queue that moves all the time does not fill the log.
 */
final class LongWaits {

    /** How long a wait needs no words, and how often at most there are any. */
    static final Duration AFTER = Duration.ofSeconds(2);

    /** The longest quiet after which a change is still to be told. */
    static final Duration LONGEST_QUIET = Duration.ofSeconds(30);

    private final Duration after;
    private final LeaseNews news;

    /**
     * None yet.
     *
     * @param after how long a wait needs no words
     * @param news hears of longer ones
     */
    LongWaits(Duration after, LeaseNews news) {
        this.after = after;
        this.news = news;
    }

    /**
     * Looks at those who wait. Until one of them has waited long enough, it costs a comparison for each.
     *
     * @param now by {@link System#nanoTime()}
     */
    void look(LeaseQueue queue, long now) {
        for (Waiter waiter : queue.waiting()) {
            Duration waited = waiter.waited(now);
            if (waited.compareTo(after) >= 0 && waited.compareTo(waiter.tellAfter) >= 0) {
                tell(waiter, waited, queue.refusal());
            }
        }
    }

    private void tell(Waiter waiter, Duration waited, Refusal refusal) {
        String reasons = refusal.reasons(waiter);
        if (!reasons.equals(waiter.told)) {
            waiter.told = reasons;
            waiter.quiet = waiter.quiet.isZero() ? after : min(waiter.quiet.multipliedBy(2), LONGEST_QUIET);
            waiter.tellAfter = waited.plus(waiter.quiet);
            String notice = refusal.waiting(waiter, waited, reasons);
            news.report(told -> told.waiting(notice));
        } else {
            waiter.tellAfter = waited.plus(after);
        }
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** A request has its cores. */
    void served(Waiter waiter) {
        if (waiter.told != null) {
            String notice =
                    "%s has its cores after %s.".formatted(waiter.request().holder(), Waiter.text(waiter.waited()));
            news.report(told -> told.waiting(notice));
        }
    }
}
