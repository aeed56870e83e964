package dev.neurontest.internal.participant;

import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The user's methods that run at the moment. A method that was timed out in a separate thread may still run and use a core while JUnit
 * continues.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class UserCode {

    private final Set<Thread> inside = ConcurrentHashMap.newKeySet();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Runnable atEnd;

    /**
     * A method of the user.
     *
     * @param <T> type of its result
     */
    @FunctionalInterface
    public interface Body<T> {

        /**
         * Runs the method.
         *
         * @throws Throwable any exception of the method
         */
        T run() throws Throwable;
    }

    /**
     * Runs a method and tracks it.
     *
     * @param <T> type of its result
     * @throws Throwable any exception of the method
     */
    public <T> T run(Body<T> body) throws Throwable {
        boolean outermost = inside.add(Thread.currentThread());
        threads.add(Thread.currentThread());
        try {
            return body.run();
        } finally {
            if (outermost) {
                inside.remove(Thread.currentThread());
                @Nullable Runnable action = inside.isEmpty() ? atEnd : null;
                if (action != null) {
                    action.run();
                }
            }
        }
    }

    /** Sets the action for the moment when the last running method has ended. */
    public void atEnd(Runnable what) {
        atEnd = what;
    }

    /** Returns whether a method has run on a thread. */
    public boolean hasRunOn(Thread thread) {
        return threads.contains(thread);
    }

    /** Returns the thread of a method that has not returned. */
    public Optional<Thread> stillRunning() {
        Iterator<Thread> running = inside.iterator();
        return running.hasNext() ? Optional.of(running.next()) : Optional.empty();
    }
}
