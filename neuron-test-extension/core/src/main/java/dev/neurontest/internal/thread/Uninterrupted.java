package dev.neurontest.internal.thread;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Actions that an interrupt of their thread does not end. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Uninterrupted {

    private Uninterrupted() {}

    /**
     * An action that can be repeated.
     *
     * @param <T> its result
     * @param <X> its failure
     */
    @FunctionalInterface
    @API(status = API.Status.INTERNAL, since = "0.1")
    public interface Action<T extends @Nullable Object, X extends Exception> {

        /**
         * Carries it out.
         *
         * @return its result
         * @throws InterruptedException when the thread is interrupted meanwhile
         * @throws X when it fails
         */
        T get() throws InterruptedException, X;
    }

    /**
     * Carries out an action in a thread that is not interrupted, and again after each interrupt. Then the thread is interrupted as before.
     *
     * @param action such as a wait
     * @param <T> its result
     * @param <X> its failure
     * @return the result
     * @throws X when the action fails
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
