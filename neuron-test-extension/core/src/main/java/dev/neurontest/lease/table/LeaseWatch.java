package dev.neurontest.lease.table;

import dev.neurontest.lease.store.LeaseStore;
import dev.neurontest.lease.store.LockedTableException;
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

    /** How long the thread stays without work. */
    private static final Duration WITHOUT_WORK = Duration.ofSeconds(1);

    private final LeaseStore store;
    private final TableChanges changes;
    private final LeaseQueue queue;
    private final Outsiders outsiders;
    private final EndedProcesses endedProcesses;
    private final PassingOver passingOver;
    private final LongWaits longWaits;
    private @Nullable Thread thread;
    private Duration pause = Duration.ZERO;

    LeaseWatch(
            LeaseStore store,
            TableChanges changes,
            LeaseQueue queue,
            Outsiders outsiders,
            EndedProcesses endedProcesses,
            PassingOver passingOver,
            LongWaits longWaits) {
        this.store = store;
        this.changes = changes;
        this.queue = queue;
        this.outsiders = outsiders;
        this.endedProcesses = endedProcesses;
        this.passingOver = passingOver;
        this.longWaits = longWaits;
    }

    /** Starts the thread that looks, or wakes it. The caller has the lock. */
    void begin() {
        if (thread == null) {
            pause = HEAD_LOOKS;
            thread = new Thread(this::watch, "neuron-lease-watch");
            thread.setDaemon(true);
            thread.start();
        } else if (pause.compareTo(HEAD_LOOKS) > 0) {
            store.ring(store.self());
        }
    }

    private void watch() {
        while (pause()) {
            boolean behindOutsiders = changes.locked(queue::isBehindOutsiders);
            try {
                endedProcesses.test();
                outsiders.look(behindOutsiders ? HEAD_LOOKS : Outsiders.REMEMBERED, changes::state);
                changes.locked(() -> changes.isClosed()
                        || changes.make(change -> {
                            endedProcesses.lookWhenDue(change);
                            long now = System.nanoTime();
                            passingOver.look(change, now);
                            longWaits.look(change, queue, now);
                            return true;
                        }));
            } catch (RuntimeException failed) {
                if (failed.getCause() instanceof LockedTableException) {
                    // Each of those who wait has a limit of its own.
                    continue;
                }
                changes.locked(() -> {
                    queue.failAll(failed);
                    return changes.isClosed();
                });
            }
        }
    }

    /** Waits until it is time to look again; false when there is nothing to look after any more. */
    private boolean pause() {
        boolean goesOn = changes.locked(() -> {
            boolean idle = queue.isEmpty() && changes.isAllWritten();
            if (changes.isClosed() || idle && pause.equals(WITHOUT_WORK)) {
                thread = null;
                return false;
            }
            pause = idle ? WITHOUT_WORK : queue.isInFront() ? HEAD_LOOKS : OTHERS_LOOK;
            return true;
        });
        if (goesOn) {
            try {
                store.awaitBell(pause);
            } catch (InterruptedException neverHappens) {
                Thread.currentThread().interrupt();
            }
        }
        return goesOn;
    }
}
