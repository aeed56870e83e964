package dev.neurontest.assertj;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.internal.assertj.ObservedTensor;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileEvents;
import dev.neurontest.profile.ProfileTables;
import dev.neurontest.tensor.TensorView;
import dev.neurontest.tensor.Tolerance;
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

    /**
     * Starts assertions on the tables of a profile.
     *
     * @param tables what the profiler wrote
     * @return assertions
     */
    public static ProfileTablesAssert assertThat(ProfileTables tables) {
        return new ProfileTablesAssert(tables);
    }

    /**
     * Starts assertions on what kernels printed.
     *
     * @param prints of a test
     * @return assertions
     */
    public static DevicePrintsAssert assertThat(DevicePrints prints) {
        return new DevicePrintsAssert(prints);
    }

    /**
     * Starts assertions on the values of one print.
     *
     * @param print of a kernel
     * @return assertions
     */
    public static TensorAssert assertThat(DevicePrint print) {
        return new TensorAssert(ObservedTensor.of(print));
    }

    /**
     * Starts assertions on the values of a tensor.
     *
     * @param tensor of a print, an output, or a file
     * @return assertions
     */
    public static TensorAssert assertThat(TensorView tensor) {
        return new TensorAssert(ObservedTensor.of(tensor));
    }

    /**
     * A tolerance in values of the dtype: 0 for the nearest one, 1 for its neighbours too.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isCloseTo(reference, withinUlps(2));
     * }</pre>
     *
     * @param ulps how many values apart
     * @return a tolerance
     * @throws IllegalArgumentException when it is negative
     */
    public static Tolerance withinUlps(long ulps) {
        return Tolerance.ulps(ulps);
    }
}
