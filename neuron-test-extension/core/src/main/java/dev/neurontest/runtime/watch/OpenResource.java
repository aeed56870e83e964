package dev.neurontest.runtime.watch;

import dev.neurontest.device.NeuronCore;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/** A model, a tensor or a prepared execution that is not closed. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OpenResource implements AutoCloseable {

    private final NeuronCore core;
    private final Handle handle;
    private final Trace opened;
    private final Consumer<Handle> closer;

    OpenResource(NeuronCore core, Handle handle, Trace opened, Consumer<Handle> closer) {
        this.core = core;
        this.handle = handle;
        this.opened = opened;
        this.closer = closer;
    }

    /**
     * What it is.
     *
     * @return such as {@code tensor a (64 bytes) on neuron0/neuron_core1}
     */
    public String what() {
        return handle.what();
    }

    /**
     * Where it is.
     *
     * @return the core whose memory it takes
     */
    public NeuronCore core() {
        return core;
    }

    /**
     * Who opened it.
     *
     * @return thread and place in the user's code
     */
    public String openedBy() {
        return opened.toString();
    }

    /** Closes it, as its own {@code close()} would have. */
    @Override
    public void close() {
        closer.accept(handle);
    }

    /**
     * What it is and who opened it.
     *
     * @return one line
     */
    @Override
    public String toString() {
        return what() + ", opened by " + openedBy();
    }
}
