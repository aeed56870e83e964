package dev.neurontest.assertj;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.event.ProfileEvents;
import org.apiguardian.api.API;

/**
 * The entry points of Neuron Test's assertions; import them statically beside AssertJ's own.
 *
 * <pre>{@code
 * import static dev.neurontest.assertj.NeuronAssertions.assertThat;
 *
 * CounterDiff diff = counters.during(() -> model.infer(100));
 * assertThat(diff).hasNoErrors().counter("inference_count").roseBy(100);
 * assertThat(profile).totalTime().isAtMost(Duration.ofMillis(17));
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeuronAssertions {

    private NeuronAssertions() {}

    /**
     * Starts assertions on what counters did.
     *
     * @param diff what was seen
     * @return assertions
     */
    public static CounterDiffAssert assertThat(CounterDiff diff) {
        return new CounterDiffAssert(diff);
    }

    /**
     * Starts assertions on a profile.
     *
     * @param profile what was measured
     * @return assertions
     */
    public static ProfileAssert assertThat(Profile profile) {
        return new ProfileAssert(profile);
    }

    /**
     * Starts assertions on the single events of a profile.
     *
     * @param events what the profiler wrote as full JSON
     * @return assertions
     */
    public static ProfileEventsAssert assertThat(ProfileEvents events) {
        return new ProfileEventsAssert(events);
    }
}
