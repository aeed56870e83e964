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

    /**
     * Starts assertions on the tables of a profile; failures are collected.
     *
     * @param tables what the profiler wrote
     * @return assertions
     */
    default ProfileTablesAssert assertThat(ProfileTables tables) {
        return proxy(ProfileTablesAssert.class, ProfileTables.class, tables);
    }

    /**
     * Starts assertions on what kernels printed; failures are collected.
     *
     * @param prints of a test
     * @return assertions
     */
    default DevicePrintsAssert assertThat(DevicePrints prints) {
        return proxy(DevicePrintsAssert.class, DevicePrints.class, prints);
    }

    /**
     * Starts assertions on the values of one print; failures are collected.
     *
     * @param print of a kernel
     * @return assertions
     */
    default TensorAssert assertThat(DevicePrint print) {
        return proxy(TensorAssert.class, ObservedTensor.class, ObservedTensor.of(print));
    }

    /**
     * Starts assertions on the values of a tensor; failures are collected.
     *
     * @param tensor of a print, an output, or a file
     * @return assertions
     */
    default TensorAssert assertThat(TensorView tensor) {
        return proxy(TensorAssert.class, ObservedTensor.class, ObservedTensor.of(tensor));
    }
}
