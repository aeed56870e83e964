package dev.neurontest.internal.lease.table;

import java.time.Duration;

/**
 * Reporter of long waits. It reports the reasons of a wait after some time, and again when they change. The minimum interval
 * between two reports doubles up to half a minute, to keep a busy queue from filling the log.
 */
final class LongWaits {

    /** The wait before the first report, and the minimum interval between reports. */
    static final Duration AFTER = Duration.ofSeconds(2);

    /** Maximum interval after which a change is reported. */
    static final Duration LONGEST_QUIET = Duration.ofSeconds(30);

    private final Duration after;
    private final LeaseNews news;

    /**
     * Creates a reporter.
     *
     * @param after the wait before the first report
     * @param news the receiver of the reports
     */
    LongWaits(Duration after, LeaseNews news) {
        this.after = after;
        this.news = news;
    }

    /**
     * Checks the waiting requests. A wait that is not long enough costs only a comparison.
     *
     * @param now the current {@link System#nanoTime()}
     */
    void reportWaits(LeaseQueue queue, long now) {
        for (Waiter waiter : queue.waiting()) {
            Duration waited = waiter.waited(now);
            if (waited.compareTo(after) >= 0 && waited.compareTo(waiter.nextReport) >= 0) {
                report(waiter, waited, queue.refusal());
            }
        }
    }

    private void report(Waiter waiter, Duration waited, Refusal refusal) {
        String reasons = refusal.reasons(waiter);
        if (!reasons.equals(waiter.reportedReasons)) {
            waiter.reportedReasons = reasons;
            waiter.quiet = waiter.quiet.isZero() ? after : min(waiter.quiet.multipliedBy(2), LONGEST_QUIET);
            waiter.nextReport = waited.plus(waiter.quiet);
            String notice = refusal.waiting(waiter, waited, reasons);
            news.report(observer -> observer.waiting(notice));
        } else {
            waiter.nextReport = waited.plus(after);
        }
    }

    private static Duration min(Duration first, Duration second) {
        return first.compareTo(second) < 0 ? first : second;
    }

    /** Reports that a request has its cores, if its wait was reported. */
    void served(Waiter waiter) {
        if (waiter.reportedReasons != null) {
            String notice =
                    "%s got its cores after %s.".formatted(waiter.request().holder(), Waiter.text(waiter.waited()));
            news.report(observer -> observer.waiting(notice));
        }
    }
}
