package dev.neurontest;

import org.apiguardian.api.API;

/** Placement of several requested NeuronCores relative to each other. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Placement {

    /**
     * Consecutive logical indices, which {@code NEURON_RT_VISIBLE_CORES} can express as a range. The range uses as few devices as possible
     * and starts at a multiple of its length if such a range is free.
     */
    IN_A_ROW,

    /** Cores of one device. */
    ONE_DEVICE,

    /** Cores on devices that are linked to each other according to {@code connected_devices}. */
    CONNECTED_DEVICES,

    /** Any free cores. */
    SCATTERED
}
