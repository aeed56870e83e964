package dev.neurontest.internal.lease.table;

import dev.neurontest.internal.lease.store.LeaseStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Looks after those of this JVM who wait, and after what could not be written: on one thread, which is there as long as there is
 * something to look after.
 */
final class LeaseWatch {

    /** How often the first in the queue looks again for what rings no bell: the end of a JVM or of another process. */
    static final Duration HEAD_LOOKS = Duration.ofMillis(50);

    /** How often those behind it make sure that its JVM still runs. */
    private static final Duration OTHERS_LOOK = Duration.ofMillis(300);

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

    /** Starts the thread that looks, or wakes it. The caller has the lock of this JVM. */
    void begin() {
        idle = 0;
        if (thread == null) {
            pause = HEAD_LOOKS;
            thread = new Thread(this::watch, "neuron-lease-watch");
            thread.setDaemon(true);
            thread.start();
        } else if (pause.compareTo(HEAD_LOOKS) > 0) {
            store.wake();
        }
    }

    private void watch() {
        try {
            while (goesOn()) {
                watchOnce();
            }
        } finally {
            // An error ends this thread alone, not the next one.
            if (thread == Thread.currentThread()) {
                thread = null;
            }
        }
    }

    private void watchOnce() {
        try {
            store.await(pause);
            if (idle == 0) {
                table.look();
            }
        } catch (InterruptedException ofOtherCode) {
            // It does not end this thread.
        } catch (InternalError cut) {
            table.fail(store.cut(cut));
        } catch (RuntimeException failed) {
            table.fail(failed);
        }
        Thread.interrupted();
    }

    /** Decides how long to wait; returns false when there is nothing to look after any more. */
    private boolean goesOn() {
        return table.locked(() -> {
            idle = table.isIdle() ? idle + 1 : 0;
            if (table.isClosed() || idle > WITHOUT_WORK) {
                thread = null;
                return false;
            }
            pause = idle > 0 || table.isInFront() ? HEAD_LOOKS : OTHERS_LOOK;
            return true;
        });
    }
}
