package dev.neurontest.internal.process;

import dev.neurontest.workload.ChildEnd;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The running children, ended when this JVM exits. A killed JVM cannot end them. */
final class ChildrenAtExit {

    private static final Duration ENDED_WITHIN = Duration.ofSeconds(10);
    private static final Set<ChildProcess> RUNNING = ConcurrentHashMap.newKeySet();
    private static volatile boolean exiting;

    static {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(ChildrenAtExit::endAll, "end of all children"));
        } catch (IllegalStateException late) {
            exiting = true;
        }
    }

    private ChildrenAtExit() {}

    static void add(ChildProcess child) {
        RUNNING.add(child);
        if (exiting) {
            throw new IllegalStateException("this JVM is exiting");
        }
    }

    static void remove(ChildProcess child) {
        RUNNING.remove(child);
    }

    /** Checks whether this JVM exits. Its exit must not be delayed for long. */
    static boolean isExiting() {
        return exiting;
    }

    private static void endAll() {
        exiting = true;
        RUNNING.forEach(child -> child.request(ChildEnd.Cause.STOPPED));
        long since = System.nanoTime();
        RUNNING.forEach(child -> child.stopAtExit(ENDED_WITHIN.minusNanos(System.nanoTime() - since)));
    }
}
