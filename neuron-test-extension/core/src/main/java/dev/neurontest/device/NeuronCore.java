package dev.neurontest.device;

import dev.neurontest.internal.device.CoreMap;
import dev.neurontest.internal.text.ListText;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A logical core: what a program names in {@code NEURON_RT_VISIBLE_CORES} and what a test leases. Depending on the host's
 * {@linkplain NeuronHost#logicalCoreSize() logical core size} it is one physical core or two.
 *
 * <p>Memory of a logical core is the sum over its physical cores. Whether an execution counts on both of them or on the
 * first only is not known, so its executions are the largest value, not the sum.
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
     * The number of the core on its host, as {@code NEURON_RT_VISIBLE_CORES} counts.
     *
     * @return from 0
     */
    public int index() {
        return index;
    }

    /**
     * The device that the core belongs to.
     *
     * @return its device
     */
    public NeuronDevice device() {
        return device;
    }

    /**
     * The sysfs cores behind it.
     *
     * @return one or two, in the order of the runtime
     */
    public List<PhysicalCore> physicalCores() {
        return physicalCores;
    }

    /**
     * What messages call it.
     *
     * @return such as {@code neuron0/neuron_core1}, or {@code core 8 (neuron1/neuron_core2, neuron1/neuron_core3)} where
     *     the logical number cannot be told from the physical one
     */
    public String name() {
        String physical = ListText.of(physicalCores);
        return device.host().coreMap() == CoreMap.IDENTITY && physicalCores.size() == 1
                ? physical
                : "core " + index + " (" + physical + ")";
    }

    /** By index. */
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
     * The same for every core: test reports take it as the argument of a test, and a test that gets another core today must
     * stay the same test. {@link #name()} tells cores apart.
     */
    @Override
    public String toString() {
        return "NeuronCore";
    }
}
