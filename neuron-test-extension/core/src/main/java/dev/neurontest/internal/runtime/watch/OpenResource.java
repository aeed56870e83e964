package dev.neurontest.internal.runtime.watch;

import dev.neurontest.device.NeuronCore;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * A model, a tensor or a prepared execution that is not closed.
 *
 * @param core whose memory it takes
 * @param handle of the runtime
 * @param opened the thread and the place in the user's code that opened it
 * @param closer closes it, as its own {@code close()} would have
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record OpenResource(NeuronCore core, Handle handle, Trace opened, Consumer<Handle> closer)
        implements AutoCloseable {

    /**
     * What it is.
     *
     * @return such as {@code tensor a (64 bytes) on neuron0/neuron_core1}
     */
    public String what() {
        return handle.what();
    }

    @Override
    public void close() {
        closer.accept(handle);
    }

    @Override
    public String toString() {
        return what() + ", opened by " + opened;
    }
}
