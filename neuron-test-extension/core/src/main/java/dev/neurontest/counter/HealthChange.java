package dev.neurontest.counter;

import dev.neurontest.counter.tree.CounterScope;
import org.apiguardian.api.API;

/**
 * What a device reported as broken at two moments, as {@code unhealthy_components} has it.
 *
 * @param before empty for a device that was well
 * @param after such as {@code hbm} or {@code device_unreachable}; empty for a device that is well
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HealthChange(String before, String after) {

    /**
     * Whether the report could not be read at the end, which says nothing about the device.
     *
     * @return false for a device that is well or broken
     */
    public boolean isUnreadable() {
        return after.startsWith(CounterScope.UNREADABLE);
    }
}
