package dev.neurontest.assertj;

import dev.neurontest.profile.system.SystemProfile;
import org.apiguardian.api.API;

/**
 * The events of one name, as assertions look at them.
 *
 * @param profile what was traced
 * @param name of the events
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ObservedEvent(SystemProfile profile, String name) {

    /**
     * The events as failure messages of AssertJ name them.
     *
     * @return their name
     */
    @Override
    public String toString() {
        return name;
    }
}
