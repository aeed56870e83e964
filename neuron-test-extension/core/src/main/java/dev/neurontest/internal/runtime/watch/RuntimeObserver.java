package dev.neurontest.internal.runtime.watch;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.runtime.RuntimeLine;
import java.time.Duration;
import org.apiguardian.api.API;

/** Observer of failed and stuck calls of the runtime. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface RuntimeObserver {

    /** Observer that writes to the log of the JVM. */
    RuntimeObserver LOG = new RuntimeObserver() {

        @Override
        public void stuck(StuckCall call) {
            warn(call.text());
        }

        @Override
        public void returned(StuckCall call, Duration after) {
            warn("%s of %s returned after %s.".formatted(call.function(), call.what(), DurationText.exact(after)));
        }

        private void warn(String text) {
            // The logger is created only here, because the first logger of a JVM would delay its first test.
            System.getLogger(RuntimeObserver.class.getName()).log(System.Logger.Level.WARNING, VisibleText.of(text));
        }
    };

    /** Called when a call has not returned in time. It is called once for each call, on a separate thread. */
    void stuck(StuckCall call);

    /**
     * Called when a call failed, on the thread of the call.
     *
     * @param core core that the call used
     * @param call function with its argument, status, and stage of the function
     */
    default void failed(NeuronCore core, RuntimeLine call) {}

    /**
     * Called when a call has returned that was reported to {@link #stuck}. It is called on the thread of the call.
     *
     * @param call the call as reported before
     * @param after duration of the call
     */
    default void returned(StuckCall call, Duration after) {}
}
