package dev.neurontest.internal.lease.table;

import dev.neurontest.internal.lease.store.LeaseStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The thread that polls for the waiting requests of this JVM and for pending changes. It only runs while there are any. */
final class LeaseWatch {

    /**
     * Polling interval of the JVM at the front of the queue. It detects events without a notification, such as the end of a JVM
     * or of another process.
     */
    static final Duration HEAD_POLL = Duration.ofMillis(50);

    /** Polling interval of the other JVMs, to show that they run. */
    private static final Duration OTHERS_POLL = Duration.ofMillis(300);

    /** The number of rounds without work after which the thread ends. */
    private static final int WITHOUT_WORK = 20;

    private final LeaseStore store;
    private final LeaseTable table;
    private @Nullable Thread thread;
    private Duration pause = Duration.ZERO;
    private volatile int idle;

    LeaseWatch(LeaseStore store, LeaseTable table) {
        this.store = store;
        this.table = table;
    }

    /** Starts the thread, or wakes it. The caller must hold the lock of this JVM. */
    void begin() {
        idle = 0;
        if (thread == null) {
            pause = HEAD_POLL;
            thread = new Thread(this::watch, "neuron-lease-watch");
            thread.setDaemon(true);
            thread.start();
        } else if (pause.compareTo(HEAD_POLL) > 0) {
            store.wake();
        }
    }

    private void watch() {
        try {
            while (goesOn()) {
                watchOnce();
            }
        } finally {
            // After an error only this thread ends. A later one can be started.
            if (thread == Thread.currentThread()) {
                thread = null;
            }
        }
    }

    private void watchOnce() {
        try {
            store.await(pause);
            if (idle == 0) {
                table.poll();
            }
        } catch (InterruptedException ofOtherCode) {
            // An interrupt does not end this thread.
        } catch (InternalError cut) {
            table.fail(store.cut(cut));
        } catch (RuntimeException failed) {
            table.fail(failed);
        }
        Thread.interrupted();
    }

    /** Sets the next polling interval. Returns false if there is no more work. */
    private boolean goesOn() {
        return table.locked(() -> {
            idle = table.isIdle() ? idle + 1 : 0;
            if (table.isClosed() || idle > WITHOUT_WORK) {
                thread = null;
                return false;
            }
            pause = idle > 0 || table.isInFront() ? HEAD_POLL : OTHERS_POLL;
            return true;
        });
    }
}
