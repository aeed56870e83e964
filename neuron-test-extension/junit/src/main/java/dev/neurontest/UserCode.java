package dev.neurontest;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.InvocationInterceptor.Invocation;

/**
 * The methods of a user's class that run at this moment. After a timeout in a thread of its own such a method may still run,
 * and drive a core, although JUnit goes on.
 */
final class UserCode {

    private final Set<Thread> inside = ConcurrentHashMap.newKeySet();
    private volatile Runnable atEnd = () -> {};

    <T> T run(Invocation<T> invocation) throws Throwable {
        boolean outermost = inside.add(Thread.currentThread());
        try {
            return invocation.proceed();
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
    void atEnd(Runnable what) {
        atEnd = what;
    }

    /** A thread that did not come back. */
    Optional<Thread> stillRunning() {
        return inside.stream().findFirst();
    }
}
