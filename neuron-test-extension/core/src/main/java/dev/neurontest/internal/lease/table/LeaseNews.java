package dev.neurontest.internal.lease.table;

import dev.neurontest.internal.lease.LeaseObserver;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** What happened under the table's lock and is told without it: to the observer, and to other JVMs by their bells. */
final class LeaseNews {

    private final LeaseObserver observer;
    private final Queue<Runnable> untold = new ConcurrentLinkedQueue<>();

    LeaseNews(LeaseObserver observer) {
        this.observer = observer;
    }

    void report(Consumer<LeaseObserver> event) {
        add(() -> event.accept(observer));
    }

    void warn(String notice) {
        report(told -> told.warned(notice));
    }

    void add(Runnable what) {
        untold.add(what);
    }

    void tell() {
        for (Runnable next = untold.poll(); next != null; next = untold.poll()) {
            try {
                next.run();
            } catch (RuntimeException failed) {
                // Only here, because the first logger of a JVM costs more than its first lease.
                System.getLogger(LeaseNews.class.getName())
                        .log(System.Logger.Level.WARNING, "An observer of leases failed", failed);
            }
        }
    }
}
