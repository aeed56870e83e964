package dev.neurontest.assertj;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.internal.assertj.ObservedTensor;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileEvents;
import dev.neurontest.profile.ProfileTables;
import dev.neurontest.tensor.TensorView;
import org.apiguardian.api.API;
import org.assertj.core.api.SoftAssertionsProvider;

/** An interface that adds the entry points of Neuron Test to a custom class of soft assertions. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface NeuronSoftAssertionsProvider extends SoftAssertionsProvider {

    /**
     * Creates assertions on a counter difference; failures are collected.
     *
     * @param diff the counter difference
     * @return assertions
     */
    default CounterDiffAssert assertThat(CounterDiff diff) {
        return proxy(CounterDiffAssert.class, CounterDiff.class, diff);
    }

    /**
     * Creates assertions on a profile; failures are collected.
     *
     * @param profile the profile
     * @return assertions
     */
    default ProfileAssert assertThat(Profile profile) {
        return proxy(ProfileAssert.class, Profile.class, profile);
    }

    /**
     * Creates assertions on the single events of a profile; failures are collected.
     *
     * @param events the events from the full JSON of the profiler
     * @return assertions
     */
    default ProfileEventsAssert assertThat(ProfileEvents events) {
        return proxy(ProfileEventsAssert.class, ProfileEvents.class, events);
    }

    /**
     * Creates assertions on the tables of a profile; failures are collected.
     *
     * @param tables the tables of the profiler
     * @return assertions
     */
    default ProfileTablesAssert assertThat(ProfileTables tables) {
        return proxy(ProfileTablesAssert.class, ProfileTables.class, tables);
    }

    /**
     * Creates assertions on the prints of kernels; failures are collected.
     *
     * @param prints the prints of a test
     * @return assertions
     */
    default DevicePrintsAssert assertThat(DevicePrints prints) {
        return proxy(DevicePrintsAssert.class, DevicePrints.class, prints);
    }

    /**
     * Creates assertions on the values of one print; failures are collected.
     *
     * @param print a print of a kernel
     * @return assertions
     */
    default TensorAssert assertThat(DevicePrint print) {
        return proxy(TensorAssert.class, ObservedTensor.class, ObservedTensor.of(print));
    }

    /**
     * Creates assertions on the values of a tensor; failures are collected.
     *
     * @param tensor a tensor of a print, an output, or a file
     * @return assertions
     */
    default TensorAssert assertThat(TensorView tensor) {
        return proxy(TensorAssert.class, ObservedTensor.class, ObservedTensor.of(tensor));
    }
}
