package dev.neurontest.internal.page;

import org.apiguardian.api.API;

/**
 * Where values stand on a bar.
 *
 * @param low the value at its left end
 * @param high the value at its right end
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Scale(double low, double high) {

    /**
     * A place on the bar; what lies outside is shown at its end.
     *
     * @param value any
     * @return percent
     */
    public double at(double value) {
        return high > low ? 100 * Math.max(0, Math.min(1, (value - low) / (high - low))) : 0;
    }
}
