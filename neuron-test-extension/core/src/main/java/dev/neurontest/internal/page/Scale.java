package dev.neurontest.internal.page;

import org.apiguardian.api.API;

/**
 * A scale that maps values to positions on a bar.
 *
 * @param low value at the left end
 * @param high value at the right end
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Scale(double low, double high) {

    /**
     * Returns the position on the bar; a value outside is at the nearest end.
     *
     * @return position in percent
     */
    public double at(double value) {
        return high > low ? 100 * Math.max(0, Math.min(1, (value - low) / (high - low))) : 0;
    }
}
