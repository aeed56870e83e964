package dev.neurontest.counter.wait;

import dev.neurontest.counter.Counters;
import dev.neurontest.counter.rule.CounterRules;
import dev.neurontest.host.NotificationSwitch;
import dev.neurontest.text.DurationText;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/** How the tests of a session wait for counters. Safe for use by several threads. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Waiting {

    /** Events can be lost, and not every counter has them. */
    private static final Duration UNNOTIFIED = Duration.ofMillis(250);

    /** Unless a wait says otherwise, the time between two readings. */
    public static final Duration EVERY = Duration.ofMillis(10);

    private final Duration interval;
    private final boolean byNotification;
    private final NotificationSwitch notifications;
    private final Consumer<String> notices;
    private final Duration unnotified;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /**
     * States it.
     *
     * @param interval the time between two readings
     * @param byNotification whether the driver's notifications are used where a counter has them
     * @param notifications switches these
     * @param notices told what a reader should know, each thing once
     * @throws IllegalArgumentException when the interval is not positive
     */
    public Waiting(
            Duration interval, boolean byNotification, NotificationSwitch notifications, Consumer<String> notices) {
        this(interval, byNotification, notifications, notices, UNNOTIFIED);
    }

    Waiting(
            Duration interval,
            boolean byNotification,
            NotificationSwitch notifications,
            Consumer<String> notices,
            Duration unnotified) {
        requirePositive(interval);
        this.unnotified = unnotified;
        this.interval = interval;
        this.byNotification = byNotification;
        this.notifications = notifications;
        this.notices = notices;
    }

    /**
     * Begins waits that end with the first error.
     *
     * @param rules what is an error: the counters that these let not move
     * @return begins such waits
     */
    public Counters.Waits until(CounterRules rules) {
        return (name, base, neighbours) ->
                new AwaitPlan(this, rules, neighbours, AwaitTarget.of(base.scope(), name), base);
    }

    static void requirePositive(Duration interval) {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException(
                    "Readings cannot be %s apart: give a positive time.".formatted(DurationText.exact(interval)));
        }
    }

    Duration interval() {
        return interval;
    }

    /** The time between two readings while notifications are waited for and none comes. */
    Duration unnotified() {
        return unnotified;
    }

    boolean byNotification() {
        return byNotification;
    }

    NotificationSwitch notifications() {
        return notifications;
    }

    void tellOnce(String notice) {
        if (told.add(notice)) {
            notices.accept(notice);
        }
    }
}
