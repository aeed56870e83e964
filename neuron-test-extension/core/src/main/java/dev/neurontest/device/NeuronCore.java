package dev.neurontest.device;

import dev.neurontest.internal.device.CoreMap;
import dev.neurontest.internal.text.ListText;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A logical core: the unit in {@code NEURON_RT_VISIBLE_CORES} and the unit of a lease. It has one or two physical cores,
 * depending on the host's {@linkplain NeuronHost#logicalCoreSize() logical core size}.
 *
 * <p>Memory of a logical core is the sum over its physical cores. It is not known whether an execution counts on both or only on
 * the first. So its executions are the largest value and not the sum.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeuronCore implements Comparable<NeuronCore> {

    private final NeuronDevice device;
    private final int index;
    private final List<PhysicalCore> physicalCores;

    NeuronCore(NeuronDevice device, int index, List<PhysicalCore> physicalCores) {
        this.device = device;
        this.index = index;
        this.physicalCores = List.copyOf(physicalCores);
    }

    /**
     * Returns the number of the core on its host, as in {@code NEURON_RT_VISIBLE_CORES}.
     *
     * @return the number, starting at 0
     */
    public int index() {
        return index;
    }

    /**
     * Returns the device of the core.
     *
     * @return the device
     */
    public NeuronDevice device() {
        return device;
    }

    /**
     * Returns the physical cores of this core.
     *
     * @return one or two, in the order of the runtime
     */
    public List<PhysicalCore> physicalCores() {
        return physicalCores;
    }

    /**
     * Returns the name of the core for messages.
     *
     * @return such as {@code neuron0/neuron_core1}, or {@code core 8 (neuron1/neuron_core2, neuron1/neuron_core3)} if the logical
     *     number does not follow from the physical one
     */
    public String name() {
        String physical = ListText.of(physicalCores);
        return device.host().coreMap() == CoreMap.IDENTITY && physicalCores.size() == 1
                ? physical
                : "core " + index + " (" + physical + ")";
    }

    /** Compares cores by index. */
    @Override
    public int compareTo(NeuronCore other) {
        return Integer.compare(index, other.index);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NeuronCore core
                && index == core.index
                && device.host().equals(core.device.host());
    }

    @Override
    public int hashCode() {
        return 31 * device.host().hashCode() + index;
    }

    /**
     * Returns the same text for every core. Test reports use it as the argument of a test, and a test must keep its name on
     * another core. {@link #name()} differs for each core.
     */
    @Override
    public String toString() {
        return "NeuronCore";
    }
}
