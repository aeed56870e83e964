package dev.neurontest.fake.internal.driver.instance;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A generation of the hardware, with the strings that the driver prints for it.
 *
 * @param name the content of {@code instance_type}, such as {@code Inf2}
 * @param architecture the driver's architecture version, 1 (Inf1) to 4 (Trn3)
 * @param deviceArchitecture the device's {@code arch_type}; {@code NDv3} for both Inf2 and Trn2
 * @param coreArchitecture a core's {@code arch_type}
 * @param deviceName the content of {@code device_name}
 * @param coresPerDevice physical cores of one device
 * @param memory size of the memory of one device, in bytes
 * @param logicalCoreSize default number of physical cores in a logical core; if it is 1, the runtime cannot change it
 * @param drivers the releases of the driver that support it
 * @param numberings the orders in which the runtime counts cores, for each platform the oldest first; empty if the order is the physical
 *     one
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HardwareFamily(
        String name,
        int architecture,
        String deviceArchitecture,
        String coreArchitecture,
        String deviceName,
        int coresPerDevice,
        long memory,
        int logicalCoreSize,
        DriverRange drivers,
        List<Numbering> numberings) {

    /**
     * Returns the number of physical cores in a logical core of a program.
     *
     * @param requested the size that the program requests; 0 for none
     * @return the default if the program requests none or the family has only one size
     */
    public int logicalCoreSize(int requested) {
        return logicalCoreSize == 1 || requested == 0 ? logicalCoreSize : requested;
    }

    /**
     * Returns the order in which cores are counted on a platform: the newest one up to a driver release.
     *
     * @return empty if cores are counted in their physical order
     */
    public Optional<Numbering> numbering(Platform platform, DriverRelease release) {
        return numberings.stream()
                .filter(numbering -> numbering.platform() == platform && release.atLeast(numbering.since()))
                .reduce((older, newer) -> newer);
    }
}
