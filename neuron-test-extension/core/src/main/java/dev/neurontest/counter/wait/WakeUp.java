package dev.neurontest.counter.wait;

import dev.neurontest.host.HostTree;
import dev.neurontest.host.NotificationSwitch;
import dev.neurontest.text.DurationText;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** When to look again: after a time, or earlier when the host says that something has changed. */
interface WakeUp extends AutoCloseable {

    /** Comes before the look that a change is measured from. */
    default void beforeLook() {}

    /**
     * Waits for the next look.
     *
     * @throws InterruptedException when interrupted while waiting
     */
    void await(Duration atMost) throws InterruptedException;

    /** Leaves the host as it was. */
    @Override
    default void close() {}

    /** What the plan asks for, as far as this host can do it. */
    static WakeUp of(AwaitPlan plan) {
        HostTree tree = plan.scope().tree();
        boolean preferred = plan.byNotification || plan.waiting.byNotification();
        if (preferred && !tree.tellsChanges()) {
            Optional<String> silent = plan.target.silent();
            if (silent.isEmpty()) {
                try {
                    return AtNotification.of(plan, tree);
                } catch (IOException impossible) {
                    plan.waiting.tellOnce(withoutNotifications(tree.name(), impossible, plan.interval));
                }
            } else {
                plan.waiting.tellOnce(notNotified(plan.target.name(), silent.get(), plan.interval));
            }
        }
        List<String> files = plan.target.files();
        return tree.tellsChanges() && files.size() == 1
                ? new AtChange(tree, files.get(0), plan.interval)
                : new AtInterval(plan.interval);
    }

    /** Every so often. */
    record AtInterval(Duration interval) implements WakeUp {

        @Override
        public void await(Duration atMost) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(shorter(interval, atMost).toNanos());
        }
    }

    /** At the change itself of the one file that is waited for; what else ends the wait is seen every so often. */
    final class AtChange implements WakeUp {

        private final HostTree tree;
        private final String file;
        private final Duration interval;
        private byte[] seen = {};

        AtChange(HostTree tree, String file, Duration interval) {
            this.tree = tree;
            this.file = file;
            this.interval = interval;
        }

        @Override
        public void beforeLook() {
            try {
                seen = tree.read(file);
            } catch (IOException unreadable) {
                seen = new byte[0];
            }
        }

        @Override
        public void await(Duration atMost) throws InterruptedException {
            Duration pause = shorter(interval, atMost);
            try {
                tree.awaitChange(file, seen, pause);
            } catch (InterruptedIOException interrupted) {
                Thread.interrupted();
                throw new InterruptedException(interrupted.getMessage());
            } catch (IOException unreadable) {
                TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            }
        }
    }

    /** When the driver notifies, and seldom by itself. */
    final class AtNotification implements WakeUp {

        private final Waiting waiting;
        private final HostTree.Watch watch;
        private final NotificationSwitch.Hold hold;

        private AtNotification(Waiting waiting, HostTree.Watch watch, NotificationSwitch.Hold hold) {
            this.waiting = waiting;
            this.watch = watch;
            this.hold = hold;
        }

        static AtNotification of(AwaitPlan plan, HostTree tree) throws IOException {
            HostTree.Watch watch = tree.watch(plan.target.files());
            try {
                return new AtNotification(
                        plan.waiting, watch, plan.waiting.notifications().on());
            } catch (IOException | RuntimeException refused) {
                watch.close();
                throw refused;
            }
        }

        @Override
        public void await(Duration atMost) throws InterruptedException {
            watch.await(shorter(waiting.unnotified(), atMost));
        }

        @Override
        public void close() {
            watch.close();
            try {
                hold.close();
            } catch (IOException failed) {
                waiting.tellOnce(notSwitchedBack(failed));
            }
        }
    }

    private static String withoutNotifications(String host, IOException why, Duration interval) {
        return "Notifications cannot be used on %s: %s. Counters are read every %s instead."
                .formatted(host, reason(why), DurationText.exact(interval));
    }

    private static String notNotified(String counter, String why, Duration interval) {
        return "The driver does not notify of %s: %s. It is read every %s instead."
                .formatted(counter, why, DurationText.exact(interval));
    }

    private static String notSwitchedBack(IOException why) {
        return "The notifications of the driver could not be switched off again after a wait: %s. Write -1 to the notify_delay of any device."
                .formatted(reason(why));
    }

    /** The messages of file system exceptions often are the path alone. */
    private static String reason(IOException why) {
        if (why instanceof AccessDeniedException) {
            return "only root may write " + why.getMessage();
        }
        if (why instanceof NoSuchFileException) {
            return "there is no " + why.getMessage();
        }
        return why.getMessage() == null ? why.toString() : why.getMessage();
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
