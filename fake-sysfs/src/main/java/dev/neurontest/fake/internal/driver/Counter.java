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

    /**
     * Reads one field.
     *
     * @param field which one
     * @return an unsigned number
     */
    public abstract long read(Field field);

    /**
     * What a write to the field's file does, whatever is written. The file is notified, also where that is nothing.
     *
     * @param field whose file is written
     */
    public abstract void clear(Field field);

    /**
     * Counts up as the driver does when a process lets the device go.
     *
     * @param by how much
     */
    public abstract void raise(long by);

    /**
     * Moves one field alone, as nothing in the driver does: for faults. Its file is notified, as if it had been written.
     *
     * @param field which one
     * @param by added to it, wrapping
     */
    public abstract void shift(Field field, long by);

    /**
     * Sets fields to what a recording says they were, and notifies as the change must have done: a new {@code total} with
     * {@code present}, a {@code total} of 0 alone as a write. Does nothing when the counter has these values.
     *
     * @param values an unsigned number for each field that was recorded
     */
    public abstract void replay(Map<Field, Long> values);

    /**
     * The device to which the counter belongs.
     *
     * @return also for a counter of a core
     */
    public final Device device() {
        return device;
    }

    /** Goes before every change that is not a write. Call with the device's lock held. */
    final void changing() {
        device.counterChanging(this);
    }

    final void changed(String how) {
        device.counterChanged(this, how);
    }

    /** Wakes the pollers of the field's file, if notifications are on. */
    final void notifyIfOn(Field field) {
        device.notifyIfOn(this, field);
    }

    /** Such as {@code neuron0/neuron_core1 device_mem/tensors}. */
    @Override
    public final String toString() {
        return (core < 0 ? device.toString() : device.core(core).toString()) + ' ' + name;
    }
}
