package dev.neurontest.device;

import org.apiguardian.api.API;

/**
 * A core as the driver counts it: one {@code neuron_coreK} directory.
 *
 * @param device the number N of its device {@code neuronN}
 * @param index the number K of the core in the device
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PhysicalCore(int device, int index) implements Comparable<PhysicalCore> {

    /**
     * Where its files are.
     *
     * @return such as {@code sys/devices/virtual/neuron_device/neuron0/neuron_core1}, relative to the host's root
     */
    public String directory() {
        return NeuronHost.DEVICES + "/" + this;
    }

    /** By device, then by core, as numbers. */
    @Override
    public int compareTo(PhysicalCore other) {
        int byDevice = Integer.compare(device, other.device);
        return byDevice == 0 ? Integer.compare(index, other.index) : byDevice;
    }

    @Override
    public String toString() {
        return "neuron" + device + "/neuron_core" + index;
    }
}
