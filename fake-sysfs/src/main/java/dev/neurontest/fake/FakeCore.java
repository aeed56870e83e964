package dev.neurontest.fake;

import dev.neurontest.fake.internal.driver.Core;
import org.apiguardian.api.API;

/** A physical core of the fake host: one {@code neuron_coreK} directory. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeCore {

    private final FakeDevice device;
    private final Core state;

    FakeCore(FakeDevice device, Core state) {
        this.device = device;
        this.state = state;
    }

    Core state() {
        return state;
    }

    /**
     * Returns the device that contains the core.
     *
     * @return the device
     */
    public FakeDevice device() {
        return device;
    }

    /**
     * Returns the index of the core inside the device.
     *
     * @return an index from 0
     */
    public int index() {
        return state.index();
    }

    /**
     * Starts a fault on this core.
     *
     * @param fault the fault; its files are relative to the directory of the core
     * @return the fault, which lasts until it is closed
     * @throws IllegalArgumentException when it is not a fault of a core, or it names a counter or file that the core does not have
     */
    public FakeFault fault(Fault fault) {
        return device.host().inject(fault, device.host().scope(state));
    }

    /** Returns text such as {@code neuron0/neuron_core1}. */
    @Override
    public String toString() {
        return state.toString();
    }
}
