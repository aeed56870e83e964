package dev.neurontest;

import org.apiguardian.api.API;

/** How several NeuronCores of one request lie to each other. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Placement {

    /** Logical indices without a gap, also across devices: what {@code NEURON_RT_VISIBLE_CORES} can name as a range. */
    IN_A_ROW,

    /** All on one device. */
    ONE_DEVICE,

    /** On devices that are linked to each other, as {@code connected_devices} says. */
    CONNECTED_DEVICES,

    /** Any free ones. */
    SCATTERED
}
