package dev.neurontest.device;

import org.apiguardian.api.API;

/**
 * A core as numbered by the driver: one {@code neuron_coreK} directory.
 *
 * @param device the number N of its device {@code neuronN}
 * @param index the number K of the core in the device
 * @param directory directory of its files, relative to the host's root, such as
 *     {@code sys/devices/virtual/neuron_device/neuron0/neuron_core1}; newer drivers may use another
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PhysicalCore(int device, int index, String directory) implements Comparable<PhysicalCore> {

    /**
     * Creates a core directly below its device, as in drivers up to 2.30.2.
     *
     * @param device the number of its device
     * @param index the number of the core in the device
     */
    public PhysicalCore(int device, int index) {
        this(device, index, NeuronDevice.directory(device) + "/neuron_core" + index);
    }

    /** Compares cores by device, then by core, as numbers. */
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
