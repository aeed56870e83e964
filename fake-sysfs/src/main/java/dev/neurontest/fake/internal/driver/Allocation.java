package dev.neurontest.fake.internal.driver;

import org.apiguardian.api.API;

/** A block of memory of one process, rounded up to whole pages (neuron_mempool.c). */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Allocation {

    static final long PAGE = 4096;

    private final long id;
    private final Core core;
    private final boolean onDevice;
    private final String purpose;
    private final StoredCounter sum;
    private final StoredCounter category;
    private final long bytes;

    private Allocation(
            long id,
            Core core,
            boolean onDevice,
            String purpose,
            StoredCounter sum,
            StoredCounter category,
            long requested) {
        if (requested <= 0 || requested > Long.MAX_VALUE - PAGE) {
            throw new IllegalArgumentException("cannot allocate " + requested + " bytes on " + core);
        }
        this.id = id;
        this.core = core;
        this.onDevice = onDevice;
        this.purpose = purpose;
        this.sum = sum;
        this.category = category;
        this.bytes = (requested + PAGE - 1) / PAGE * PAGE;
    }

    static Allocation ofDevice(long id, Core core, DeviceCategory category, long requested) {
        return new Allocation(
                id, core, true, category.toString(), core.deviceMemory(), core.deviceMemory(category), requested);
    }

    static Allocation ofHost(long id, Core core, HostCategory category, long requested) {
        return new Allocation(
                id,
                core,
                false,
                category.toString(),
                core.hostMemory(),
                core.device().hostMemory(category),
                requested);
    }

    /** Returns the number of the allocation, which is unique on the host and starts at 1. */
    public long id() {
        return id;
    }

    /** Returns the core that counts the allocation. */
    public Core core() {
        return core;
    }

    /** Returns the size in bytes, a multiple of the page size. */
    public long bytes() {
        return bytes;
    }

    /** Returns whether it is memory of the device. */
    public boolean onDevice() {
        return onDevice;
    }

    /** Returns the purpose, such as {@code tensors}. */
    public String purpose() {
        return purpose;
    }

    void count() {
        synchronized (core.device()) {
            sum.increase(bytes);
            category.increase(bytes);
        }
    }

    void uncount() {
        synchronized (core.device()) {
            category.decrease(bytes);
            sum.decrease(bytes);
        }
    }

    /** Returns text such as {@code allocation 7: 4096 bytes of device memory for tensors on neuron0/neuron_core1}. */
    @Override
    public String toString() {
        return "allocation " + id + ": " + bytes + " bytes of " + (onDevice ? "device" : "host") + " memory for "
                + purpose + " on " + core;
    }
}
