package dev.neurontest.device;

import org.apiguardian.api.API;

/**
 * A core as the driver counts it: one {@code neuron_coreK} directory.
 *
 * @param device the number N of its device {@code neuronN}
 * @param index the number K of the core in the device
 * @param directory where its files are, relative to the host's root, such as
 *     {@code sys/devices/virtual/neuron_device/neuron0/neuron_core1}; newer drivers may put it elsewhere
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PhysicalCore(int device, int index, String directory) implements Comparable<PhysicalCore> {

    /**
     * A core directly below its device, as drivers have it up to 2.30.2.
     *
     * @param device the number of its device
     * @param index the number of the core in the device
     */
    public PhysicalCore(int device, int index) {
        this(device, index, NeuronDevice.directory(device) + "/neuron_core" + index);
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
