package dev.neurontest.internal.participant;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/**
 * The methods of a user's class that run at this moment. After a timeout in a thread of its own such a method may still run,
 * and drive a core, although JUnit goes on.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class UserCode {

    private final Set<Thread> inside = ConcurrentHashMap.newKeySet();
    private volatile Runnable atEnd = () -> {};

    /**
     * A method of the user.
     *
     * @param <T> what it gives
     */
    @FunctionalInterface
    public interface Body<T> {

        /**
         * Runs it.
         *
         * @throws Throwable what it throws
         */
        T run() throws Throwable;
    }

    /**
     * Runs a method and watches it.
     *
     * @param <T> what it gives
     * @throws Throwable what it throws
     */
    public <T> T run(Body<T> body) throws Throwable {
        boolean outermost = inside.add(Thread.currentThread());
        try {
            return body.run();
        } finally {
            if (outermost) {
                inside.remove(Thread.currentThread());
                if (inside.isEmpty()) {
                    atEnd.run();
                }
            }
        }
    }

    /** Says what is to be done when what still runs has come to its end. */
    public void atEnd(Runnable what) {
        atEnd = what;
    }

    /** Looks for a method that did not come back. */
    public Optional<Thread> stillRunning() {
        return inside.stream().findFirst();
    }
}
