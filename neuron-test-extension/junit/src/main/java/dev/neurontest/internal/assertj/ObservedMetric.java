package dev.neurontest.internal.assertj;

import dev.neurontest.profile.Profile;
import org.apiguardian.api.API;

/**
 * One metric of a profile, the subject of the metric assertions.
 *
 * @param name the name that the tool writes
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ObservedMetric(Profile profile, String name) {

    /** Returns the name for failure messages of AssertJ. */
    @Override
    public String toString() {
        return name;
    }
}
