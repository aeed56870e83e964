package dev.neurontest.fake.internal.driver;

import java.util.Map;
import org.apiguardian.api.API;

/** A counter of a core or a device. All its numbers are unsigned 64-bit and wrap silently, as in the driver. */
@API(status = API.Status.INTERNAL, since = "0.1")
public abstract sealed class Counter permits StoredCounter, LiveCounter {

    private final Device device;
    private final int core;
    private final String name;

    Counter(Device device, int core, String name) {
        this.device = device;
        this.core = core;
        this.name = name;
    }

    /** Reads one field, as an unsigned number. */
    public abstract long read(Field field);

    /** Applies a write to the file of a field. The written content is ignored. The file is notified, even if nothing changes. */
    public abstract void clear(Field field);

    /** Increases the counter, as the driver does when a process releases the device. */
    public abstract void raise(long by);

    /**
     * Moves one field alone, for a fault. The driver never does this. The file is notified as after a write.
     *
     * @param by the amount to add, which wraps
     */
    public abstract void shift(Field field, long by);

    /**
     * Sets fields to recorded values, and sends the notifications of the original change. For a new {@code total} with
     * {@code present}, this is a count; for a {@code total} of 0 alone, it is a write. Does nothing if the counter has these values.
     *
     * @param values an unsigned number for each recorded field
     */
    public abstract void replay(Map<Field, Long> values);

    /** Returns the device of the counter, also for a counter of a core. */
    public final Device device() {
        return device;
    }

    /** Called before every change that is not a write. The lock of the device must be held. */
    final void changing() {
        device.counterChanging(this);
    }

    final void changed(String how) {
        device.counterChanged(this, how);
    }

    /** Wakes the pollers of the file of a field, if notifications are on. */
    final void notifyIfOn(Field field) {
        device.notifyIfOn(this, field);
    }

    /** Returns text such as {@code neuron0/neuron_core1 device_mem/tensors}. */
    @Override
    public final String toString() {
        return (core < 0 ? device.toString() : device.core(core).toString()) + ' ' + name;
    }
}
