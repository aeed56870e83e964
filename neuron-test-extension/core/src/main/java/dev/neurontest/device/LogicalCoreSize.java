package dev.neurontest.device;

import org.apiguardian.api.API;

/**
 * The number of physical cores per logical core: the runtime's {@code NEURON_LOGICAL_NC_CONFIG}. sysfs does not show it, so a
 * value other than the default must be configured.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum LogicalCoreSize {
    /** The runtime's default: 2 on Trn2 and Trn3, 1 on other families. */
    BY_FAMILY,
    /** One physical core per logical core. */
    ONE,
    /** Two neighbouring physical cores per logical core. The runtime supports this only on Trn2 and Trn3. */
    TWO;

    /**
     * Returns the setting for the runtime's number.
     *
     * @param size 1 or 2
     * @return the setting
     * @throws IllegalArgumentException for any other number
     */
    public static LogicalCoreSize of(int size) {
        return switch (size) {
            case 1 -> ONE;
            case 2 -> TWO;
            default -> throw new IllegalArgumentException("a logical core has 1 or 2 physical cores, not " + size);
        };
    }

    int on(Family family) {
        return switch (this) {
            case BY_FAMILY -> family.defaultLogicalCoreSize();
            case ONE -> 1;
            case TWO -> family.pairsCores() ? 2 : 1;
        };
    }
}
