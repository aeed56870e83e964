package dev.neurontest;

import org.apiguardian.api.API;

/** How several NeuronCores of one request lie to each other. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Placement {

    /**
     * Logical indices without a gap: what {@code NEURON_RT_VISIBLE_CORES} can name as a range. The range takes as few devices as
     * possible and starts at a multiple of its length while such a place is free.
     */
    IN_A_ROW,

    /** All on one device. */
    ONE_DEVICE,

    /** On devices that are linked to each other, as {@code connected_devices} says. */
    CONNECTED_DEVICES,

    /** Any free ones. */
    SCATTERED
}
