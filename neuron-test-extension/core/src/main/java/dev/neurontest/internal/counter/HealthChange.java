package dev.neurontest.internal.counter;

import dev.neurontest.internal.counter.tree.CounterScope;
import org.apiguardian.api.API;

/**
 * The broken components of a device at two times, as in {@code unhealthy_components}.
 *
 * @param before components before; empty for a healthy device
 * @param after components after, such as {@code hbm} or {@code device_unreachable}; empty for a healthy device
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HealthChange(String before, String after) {

    /** Returns whether the report was unreadable at the end. The health of the device is unknown then. */
    public boolean isUnreadable() {
        return after.startsWith(CounterScope.UNREADABLE);
    }
}
