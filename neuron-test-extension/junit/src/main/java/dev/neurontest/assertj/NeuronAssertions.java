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
 * Entry points of the assertions of Neuron Test, to be imported statically next to those of AssertJ.
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
     * Creates assertions on a counter difference.
     *
     * @param diff the counter difference
     * @return assertions
     */
    public static CounterDiffAssert assertThat(CounterDiff diff) {
        return new CounterDiffAssert(diff);
    }

    /**
     * Creates assertions on a profile.
     *
     * @param profile the profile
     * @return assertions
     */
    public static ProfileAssert assertThat(Profile profile) {
        return new ProfileAssert(profile);
    }

    /**
     * Creates assertions on the single events of a profile.
     *
     * @param events the events from the full JSON of the profiler
     * @return assertions
     */
    public static ProfileEventsAssert assertThat(ProfileEvents events) {
        return new ProfileEventsAssert(events);
    }

    /**
     * Creates assertions on the tables of a profile.
     *
     * @param tables the tables of the profiler
     * @return assertions
     */
    public static ProfileTablesAssert assertThat(ProfileTables tables) {
        return new ProfileTablesAssert(tables);
    }

    /**
     * Creates assertions on the prints of kernels.
     *
     * @param prints the prints of a test
     * @return assertions
     */
    public static DevicePrintsAssert assertThat(DevicePrints prints) {
        return new DevicePrintsAssert(prints);
    }

    /**
     * Creates assertions on the values of one print.
     *
     * @param print a print of a kernel
     * @return assertions
     */
    public static TensorAssert assertThat(DevicePrint print) {
        return new TensorAssert(ObservedTensor.of(print));
    }

    /**
     * Creates assertions on the values of a tensor.
     *
     * @param tensor a tensor of a print, an output, or a file
     * @return assertions
     */
    public static TensorAssert assertThat(TensorView tensor) {
        return new TensorAssert(ObservedTensor.of(tensor));
    }

    /**
     * Creates a tolerance in units in the last place: 0 accepts only the nearest value of the dtype, 1 also its neighbors.
     *
     * <pre>{@code
     * assertThat(print.tensor()).isCloseTo(reference, withinUlps(2));
     * }</pre>
     *
     * @param ulps the accepted distance in representable values of the dtype
     * @return a tolerance
     * @throws IllegalArgumentException if the number is negative
     */
    public static Tolerance withinUlps(long ulps) {
        return Tolerance.ulps(ulps);
    }
}
