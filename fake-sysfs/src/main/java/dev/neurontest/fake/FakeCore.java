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
     * The device of which it is a part.
     *
     * @return its device
     */
    public FakeDevice device() {
        return device;
    }

    /**
     * Its number inside the device.
     *
     * @return from 0
     */
    public int index() {
        return state.index();
    }

    /**
     * Lets something go wrong on this core.
     *
     * @param fault what; its files are relative to the core's directory
     * @return the fault, which lasts until it is closed
     * @throws IllegalArgumentException when the fault is not one of a core, or names what the core does not have
     */
    public FakeFault fault(Fault fault) {
        return device.host().inject(fault, device.host().scope(state));
    }

    /** Such as {@code neuron0/neuron_core1}. */
    @Override
    public String toString() {
        return state.toString();
    }
}
