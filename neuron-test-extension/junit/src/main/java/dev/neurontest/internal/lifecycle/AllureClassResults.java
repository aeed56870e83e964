package dev.neurontest.internal.lifecycle;

import io.qameta.allure.Allure;
import io.qameta.allure.listener.TestLifecycleListener;
import io.qameta.allure.model.TestResult;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The attachments and labels of failed classes. Allure creates the result of a class only after the class has failed, on the same thread,
 * so they are kept until then. Allure finds this listener by the service loader.
 */
@API(status = API.Status.INTERNAL)
public final class AllureClassResults implements TestLifecycleListener {

    /** The class that begins or ends on a thread, and the changes of its future result. */
    private record PendingClass(String uniqueId, List<Runnable> changes) {}

    private static final ThreadLocal<@Nullable PendingClass> PENDING = new ThreadLocal<>();

    /** Keeps changes for a class from now on. Changes that were kept for the same class remain. */
    static void begin(String uniqueId) {
        PendingClass pending = PENDING.get();
        if (pending == null || !pending.uniqueId().equals(uniqueId)) {
            PENDING.set(new PendingClass(uniqueId, new ArrayList<>()));
        }
    }

    /** Discards the changes of the class on this thread. */
    static void discard() {
        PENDING.remove();
    }

    /** Applies a change to the current result, or keeps it for the result of the class; without both, nothing is changed. */
    static void apply(Runnable change) {
        PendingClass pending = PENDING.get();
        if (Allure.getLifecycle().getCurrentTestCase().isPresent()) {
            change.run();
        } else if (pending != null) {
            pending.changes().add(change);
        }
    }

    /** Applies the kept changes to the result of their class, which contains the unique ID as a label. */
    @Override
    public void beforeTestStop(TestResult result) {
        PendingClass pending = PENDING.get();
        if (pending != null
                && result.getLabels().stream()
                        .anyMatch(label -> pending.uniqueId().equals(label.getValue()))) {
            PENDING.remove();
            pending.changes().forEach(Runnable::run);
        }
    }
}
