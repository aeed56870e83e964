package dev.neurontest.internal.thread;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Actions that continue when their thread is interrupted. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Uninterrupted {

    private Uninterrupted() {}

    /**
     * An action that can be repeated.
     *
     * @param <T> the type of the result
     * @param <X> the type of the failure
     */
    @FunctionalInterface
    @API(status = API.Status.INTERNAL, since = "0.1")
    public interface Action<T extends @Nullable Object, X extends Exception> {

        /**
         * Executes the action.
         *
         * @throws InterruptedException if the thread is interrupted
         * @throws X if the action fails
         */
        T get() throws InterruptedException, X;
    }

    /**
     * Executes an action without the interrupt of this thread, and repeats it after each interrupt. The interrupt is restored
     * afterwards.
     *
     * @param action for example a wait
     * @param <T> the type of the result
     * @param <X> the type of the failure
     * @throws X if the action fails
     */
    public static <T extends @Nullable Object, X extends Exception> T get(Action<T, X> action) throws X {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return action.get();
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
