package dev.neurontest.internal.lease.table;

import dev.neurontest.internal.lease.LeaseObserver;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** The queue of notifications for the observer and for other JVMs. They are added under the table's lock and sent without it. */
final class LeaseNews {

    private final LeaseObserver observer;
    private final Queue<Runnable> pending = new ConcurrentLinkedQueue<>();

    LeaseNews(LeaseObserver observer) {
        this.observer = observer;
    }

    void report(Consumer<LeaseObserver> event) {
        add(() -> event.accept(observer));
    }

    void warn(String notice) {
        report(observer -> observer.warned(notice));
    }

    void add(Runnable notification) {
        pending.add(notification);
    }

    void notifyObservers() {
        for (Runnable next = pending.poll(); next != null; next = pending.poll()) {
            try {
                next.run();
            } catch (RuntimeException failed) {
                // The logger is created only here, because the first logger of a JVM costs more than its first lease.
                System.getLogger(LeaseNews.class.getName())
                        .log(System.Logger.Level.WARNING, "An observer of leases failed", failed);
            }
        }
    }
}
