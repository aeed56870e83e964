package dev.neurontest.fake.internal.driver;

import java.util.Map;
import org.apiguardian.api.API;

/**
 * A counter that drivers from 2.30.2 compute at each read: the sum over all datastore entries of the device, for both
 * {@code total} and {@code present}. The driver does not notice its changes, so only a write to one of its files notifies them.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LiveCounter extends Counter {

    private final Core core;
    private final ExecutionCounter counter;

    LiveCounter(Core core, ExecutionCounter counter) {
        super(core.device(), core.index(), counter.counterName());
        this.core = core;
        this.counter = counter;
    }

    @Override
    public long read(Field field) {
        long sum = 0;
        for (Datastore datastore : device().datastores()) {
            sum += datastore.get(core, counter);
        }
        return sum * counter.scale();
    }

    /** Clears the counter in every entry, including entries of running processes. A write to {@code present} changes nothing. */
    @Override
    public void clear(Field field) {
        synchronized (device()) {
            if (field == Field.TOTAL) {
                for (Datastore datastore : device().datastores()) {
                    datastore.clear(core, counter);
                }
                changed("written");
            }
            notifyIfOn(field);
        }
    }

    @Override
    public void raise(long by) {
        synchronized (device()) {
            changing();
            device().anyDatastore().add(core, counter, by / counter.scale());
            changed("up");
        }
    }

    @Override
    public void replay(Map<Field, Long> values) {
        synchronized (device()) {
            changing();
            long now = read(Field.TOTAL);
            long then = values.getOrDefault(Field.TOTAL, values.getOrDefault(Field.PRESENT, now));
            if (then != now) {
                device().anyDatastore().add(core, counter, (then - now) / counter.scale());
                changed("replayed");
            }
        }
    }

    /** Moves the sum, which is the only number, through {@code total}. As with {@link #clear}, the other fields do nothing. */
    @Override
    public void shift(Field field, long by) {
        if (field == Field.TOTAL) {
            synchronized (device()) {
                raise(by);
                notifyIfOn(field);
            }
        }
    }
}
