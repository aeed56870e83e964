package dev.neurontest.assertj;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.event.ProfileEvents;
import org.apiguardian.api.API;
import org.assertj.core.api.SoftAssertionsProvider;

/** Adds Neuron Test's entry points to a soft-assertions class of one's own. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface NeuronSoftAssertionsProvider extends SoftAssertionsProvider {

    /**
     * Starts assertions on what counters did; failures are collected.
     *
     * @param diff what was seen
     * @return assertions
     */
    default CounterDiffAssert assertThat(CounterDiff diff) {
        return proxy(CounterDiffAssert.class, CounterDiff.class, diff);
    }

    /**
     * Starts assertions on a profile; failures are collected.
     *
     * @param profile what was measured
     * @return assertions
     */
    default ProfileAssert assertThat(Profile profile) {
        return proxy(ProfileAssert.class, Profile.class, profile);
    }

    /**
     * Starts assertions on the single events of a profile; failures are collected.
     *
     * @param events what the profiler wrote as full JSON
     * @return assertions
     */
    default ProfileEventsAssert assertThat(ProfileEvents events) {
        return proxy(ProfileEventsAssert.class, ProfileEvents.class, events);
    }
}
