package dev.neurontest.internal.thread;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/** The failures of an action on several items. The action is tried on each item. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Failures {

    private Failures() {}

    /**
     * Executes an action on each item, even after a failure.
     *
     * @param items the items in their order
     * @param action for example closing the item
     * @param <T> the type of an item
     * @return the thrown exceptions
     */
    public static <T> List<RuntimeException> of(Collection<T> items, Consumer<? super T> action) {
        List<RuntimeException> failures = new ArrayList<>();
        for (T item : items) {
            try {
                action.accept(item);
            } catch (RuntimeException failed) {
                failures.add(failed);
            }
        }
        return failures;
    }

    /** Throws the first failure, with the others as suppressed exceptions. Without failures this has no effect. */
    public static void throwFirst(List<RuntimeException> failures) {
        if (!failures.isEmpty()) {
            RuntimeException first = failures.get(0);
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }
}
