package dev.neurontest.internal.assertj;

import dev.neurontest.profile.Profile;
import org.apiguardian.api.API;

/**
 * One metric of a profile, as the assertions of its kind look at it.
 *
 * @param profile what was profiled
 * @param name as the tool writes it
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ObservedMetric(Profile profile, String name) {

    /**
     * The metric as failure messages of AssertJ name it.
     *
     * @return its name
     */
    @Override
    public String toString() {
        return name;
    }
}
