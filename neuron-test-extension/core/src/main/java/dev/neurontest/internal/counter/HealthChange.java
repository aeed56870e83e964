package dev.neurontest.internal.counter;

import dev.neurontest.internal.counter.tree.CounterScope;
import org.apiguardian.api.API;

/**
 * The broken components that a device reported at two moments, as in {@code unhealthy_components}.
 *
 * @param before empty for a device that was well
 * @param after such as {@code hbm} or {@code device_unreachable}; empty for a device that is well
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HealthChange(String before, String after) {

    /**
     * Returns whether the report could not be read at the end, so that the health of the device is not known.
     *
     * @return false for a device that is well or broken
     */
    public boolean isUnreadable() {
        return after.startsWith(CounterScope.UNREADABLE);
    }
}
