package dev.neurontest.fake.internal.driver;

import dev.neurontest.fake.internal.driver.instance.InstanceType;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The cores of a host as the runtime counts them: device after device, each in the order of its family. Adjacent cores form one
 * logical core.
 */
final class LogicalCores {

    /** Word for every core of the host, which the runtime takes by default. */
    private static final String ALL = "all";

    /** Prefix of a number, for so many adjacent free cores, anywhere on the host. */
    private static final String ANY = "any:";

    private final InstanceType type;
    private final List<Device> devices;
    private final int size;

    /**
     * Creates the logical cores of a host.
     *
     * @param requestedSize {@code NEURON_LOGICAL_NC_CONFIG}, 1 or 2
     * @throws IllegalArgumentException when it is neither
     */
    LogicalCores(InstanceType type, List<Device> devices, OptionalInt requestedSize) {
        int normal = type.family().logicalCoreSize();
        int logicalCoreSize = requestedSize.orElse(normal);
        if (logicalCoreSize != 1 && logicalCoreSize != 2) {
            throw new IllegalArgumentException("a logical core is 1 or 2 physical cores, not " + logicalCoreSize);
        }
        this.type = type;
        this.devices = devices;
        this.size = normal == 1 ? 1 : logicalCoreSize;
    }

    /** Returns the number of physical cores in a logical core. */
    int size() {
        return size;
    }

    VisibleCores visible(String list, Predicate<Core> free) {
        int count = devices.size() * type.family().coresPerDevice() / size;
        if (list.startsWith(ANY)) {
            return any(list.substring(ANY.length()), count, free);
        }
        VisibleCores visible = list.equals(ALL) ? new VisibleCores(0, count - 1) : VisibleCores.parse(list);
        if (visible.last() >= count) {
            throw new IllegalArgumentException(
                    "no logical core " + visible.last() + " on " + type.name() + ": it has 0 to " + (count - 1)
                            + ", each of " + (size == 1 ? "1 physical core" : size + " physical cores"));
        }
        return visible;
    }

    /** Returns the first run of free cores. If there is none, returns the first cores of the host, although they are not free. */
    private VisibleCores any(String number, int count, Predicate<Core> free) {
        int requestedCount = number.matches("[1-9][0-9]{0,4}") ? Integer.parseInt(number) : 0;
        if (requestedCount == 0 || requestedCount > count) {
            throw new IllegalArgumentException(
                    "no " + number + " logical cores on " + type.name() + ": use a number from 1 to " + count);
        }
        for (int first = 0; first + requestedCount <= count; first++) {
            VisibleCores run = new VisibleCores(first, first + requestedCount - 1);
            if (physical(run).stream().allMatch(free)) {
                return run;
            }
        }
        return new VisibleCores(0, requestedCount - 1);
    }

    /** Returns the physical cores, in the order in which the process counts them. */
    List<Core> physical(VisibleCores visible) {
        int inDevice = type.family().coresPerDevice();
        return IntStream.range(visible.first() * size, (visible.last() + 1) * size)
                .mapToObj(number -> {
                    Device device = devices.get(number / inDevice);
                    return device.coreAt(number % inDevice);
                })
                .toList();
    }
}
