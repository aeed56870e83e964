package dev.neurontest.internal.runtime.watch;

import dev.neurontest.internal.thread.Uninterrupted;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A gate for calls into the runtime. Calls are allowed while the runtime is open, and it can be closed only when no call is running. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CallGate {

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private volatile @Nullable Trace shutBy;

    /** Runs a body inside the gate. If the runtime is closed, the exception names the caller that closed it. */
    public <T> T inside(Supplier<T> body) {
        lock.readLock().lock();
        try {
            if (shutBy != null) {
                throw new IllegalStateException(
                        "The Neuron runtime of this JVM was closed by %s. Open it again before it is used."
                                .formatted(shutBy));
            }
            return body.get();
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Runs a body inside the gate unless the runtime is closed. */
    public void insideIfOpen(Runnable body) {
        lock.readLock().lock();
        try {
            if (shutBy == null) {
                body.run();
            }
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Refuses all further calls. */
    public synchronized void shut(Trace by) {
        if (shutBy == null) {
            shutBy = by;
        }
    }

    /** Waits until no call is running; returns false if one still is. */
    public boolean awaitEmpty(Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        boolean empty =
                Uninterrupted.get(() -> lock.writeLock().tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
        if (empty) {
            lock.writeLock().unlock();
        }
        return empty;
    }
}
