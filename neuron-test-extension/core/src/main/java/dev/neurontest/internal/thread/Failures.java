package dev.neurontest.internal.thread;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/** Failures of an action on several items, each of which is tried. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Failures {

    private Failures() {}

    /**
     * Carries out an action on each item, also after one that failed.
     *
     * @param items in this order
     * @param action such as closing it
     * @param <T> the type of an item
     * @return what was thrown
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

    /**
     * Throws the first failure, which has the others as suppressed ones. Does nothing without any.
     *
     * @param failures what was thrown
     */
    public static void throwFirst(List<RuntimeException> failures) {
        if (!failures.isEmpty()) {
            RuntimeException first = failures.get(0);
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }
}
