package dev.neurontest.internal.runtime.watch;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.runtime.RuntimeLine;
import java.time.Duration;
import org.apiguardian.api.API;

/** Hears when a call of the runtime hangs. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface RuntimeObserver {

    /** Writes to the log of the JVM. */
    RuntimeObserver LOG = new RuntimeObserver() {

        private static final System.Logger LOGGER = System.getLogger(RuntimeObserver.class.getName());

        @Override
        public void stuck(StuckCall call) {
            LOGGER.log(System.Logger.Level.WARNING, VisibleText.of(call.text()));
        }

        @Override
        public void returned(StuckCall call, Duration after) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    VisibleText.of("%s of %s returned after %s."
                            .formatted(call.function(), call.what(), DurationText.exact(after))));
        }
    };

    /**
     * A call has not returned in time. Told once for each call, on a thread of its own.
     *
     * @param call which
     */
    void stuck(StuckCall call);

    /**
     * Takes notice of a call that failed, on the thread that called.
     *
     * @param core that it used
     * @param call the function and what it was called with, the status, and the stage of the function
     */
    default void failed(NeuronCore core, RuntimeLine call) {}

    /**
     * A call that {@link #stuck} has heard of has returned after all. Told on the thread that called.
     *
     * @param call as it was told
     * @param after how long it took
     */
    default void returned(StuckCall call, Duration after) {}
}
