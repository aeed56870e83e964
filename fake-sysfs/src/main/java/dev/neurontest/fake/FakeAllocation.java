package dev.neurontest.fake;

import dev.neurontest.fake.internal.driver.Allocation;
import org.apiguardian.api.API;

/** Memory that a process has allocated. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeAllocation {

    private final FakeCore core;
    private final Allocation state;

    FakeAllocation(FakeCore core, Allocation state) {
        this.core = core;
        this.state = state;
    }

    Allocation state() {
        return state;
    }

    /**
     * Returns the number of the allocation, which is unique on the host.
     *
     * @return a number from 1
     */
    public long id() {
        return state.id();
    }

    /**
     * Returns the core that counts the allocation.
     *
     * @return one of the cores of the process
     */
    public FakeCore core() {
        return core;
    }

    /**
     * Returns the size.
     *
     * @return bytes, rounded up to whole pages of 4096
     */
    public long bytes() {
        return state.bytes();
    }

    /** Returns text such as {@code allocation 7: 4096 bytes of device memory for tensors on neuron0/neuron_core1}. */
    @Override
    public String toString() {
        return state.toString();
    }
}
