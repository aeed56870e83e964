package dev.neurontest.fake.internal.driver;

import java.util.Map;
import org.apiguardian.api.API;

/**
 * A counter that stores its numbers (neuron_sysfs_metrics.c). A change by 0 is not a change. {@code present} is the size of
 * the last change, regardless of its direction. {@code peak} only grows until it is written.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class StoredCounter extends Counter {

    // Written under the device's lock, read without it, because the driver's reads take no lock either.
    private volatile long total;
    private volatile long present;
    private volatile long peak;

    StoredCounter(Device device, int core, String name) {
        super(device, core, name);
    }

    /** Sets all fields to the value at the load of the driver. */
    StoredCounter startingAt(long value) {
        total = value;
        present = value;
        peak = value;
        return this;
    }

    @Override
    public long read(Field field) {
        return switch (field) {
            case TOTAL -> total;
            case PRESENT -> present;
            case PEAK -> peak;
        };
    }

    void increase(long by) {
        if (by == 0) {
            return;
        }
        synchronized (device()) {
            changing();
            long sum = total + by;
            boolean grown = Long.compareUnsigned(sum, peak) > 0;
            if (grown) {
                peak = sum;
            }
            total = sum;
            present = by;
            changed("up");
            if (grown) {
                notifyIfOn(Field.PEAK);
            }
            notifyIfOn(Field.TOTAL);
            notifyIfOn(Field.PRESENT);
        }
    }

    void decrease(long by) {
        if (by == 0) {
            return;
        }
        synchronized (device()) {
            changing();
            total = total - by;
            present = by;
            changed("down");
            notifyIfOn(Field.TOTAL);
            notifyIfOn(Field.PRESENT);
        }
    }

    @Override
    public void raise(long by) {
        increase(by);
    }

    @Override
    public void clear(Field field) {
        synchronized (device()) {
            set(field, 0);
            changed("written");
            notifyIfOn(field);
        }
    }

    @Override
    public void shift(Field field, long by) {
        synchronized (device()) {
            changing();
            set(field, read(field) + by);
            changed("changed by a fault");
            notifyIfOn(field);
        }
    }

    @Override
    public void replay(Map<Field, Long> values) {
        synchronized (device()) {
            changing();
            if (values.entrySet().stream().allMatch(value -> read(value.getKey()) == value.getValue())) {
                return;
            }
            boolean grown = Long.compareUnsigned(values.getOrDefault(Field.PEAK, peak), peak) > 0;
            boolean counted = values.containsKey(Field.TOTAL)
                    && (values.get(Field.TOTAL) != 0 || values.containsKey(Field.PRESENT));
            values.forEach(this::set);
            changed("replayed");
            if (counted) {
                if (grown) {
                    notifyIfOn(Field.PEAK);
                }
                notifyIfOn(Field.TOTAL);
                notifyIfOn(Field.PRESENT);
            } else {
                values.keySet().forEach(this::notifyIfOn);
            }
        }
    }

    private void set(Field field, long value) {
        switch (field) {
            case TOTAL -> total = value;
            case PRESENT -> present = value;
            case PEAK -> peak = value;
        }
    }
}
