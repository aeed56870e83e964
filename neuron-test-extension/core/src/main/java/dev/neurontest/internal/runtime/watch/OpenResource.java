package dev.neurontest.internal.runtime.watch;

import dev.neurontest.device.NeuronCore;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * A model, a tensor or a prepared execution that is not closed.
 *
 * @param core core of the occupied memory
 * @param handle handle in the runtime
 * @param opened thread and place in the user's code that opened it
 * @param closer closes it like its own {@code close()}
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record OpenResource(NeuronCore core, Handle handle, Trace opened, Consumer<Handle> closer)
        implements AutoCloseable {

    /**
     * Returns a description of the resource.
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
