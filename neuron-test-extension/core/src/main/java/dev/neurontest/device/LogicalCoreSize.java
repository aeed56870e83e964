package dev.neurontest.device;

import org.apiguardian.api.API;

/**
 * How many physical cores make one logical core: the runtime's {@code NEURON_LOGICAL_NC_CONFIG}. sysfs does not show it, so it
 * must be told where it is not the default.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum LogicalCoreSize {
    /** The runtime's own default: 2 on Trn2 and Trn3, 1 elsewhere. */
    BY_FAMILY,
    /** Every physical core is a logical core. */
    ONE,
    /** Two neighbours make a logical core; the runtime does that on Trn2 and Trn3 only. */
    TWO;

    /**
     * Takes the runtime's number.
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
