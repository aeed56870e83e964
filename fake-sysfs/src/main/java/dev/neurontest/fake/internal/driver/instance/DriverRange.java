package dev.neurontest.fake.internal.driver.instance;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Successive releases of the driver.
 *
 * @param since the first release
 * @param before the first release after them, null if there is none
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DriverRange(DriverRelease since, @Nullable DriverRelease before) {

    /** Returns whether a release is one of them. */
    public boolean contains(DriverRelease release) {
        return release.atLeast(since) && (before == null || !release.atLeast(before));
    }
}
