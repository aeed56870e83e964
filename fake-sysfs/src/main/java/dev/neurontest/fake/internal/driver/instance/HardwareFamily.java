package dev.neurontest.fake.internal.driver.instance;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A generation of the hardware and the strings that the driver prints for it.
 *
 * @param name what {@code instance_type} prints, such as {@code Inf2}
 * @param architecture the driver's architecture version, 1 (Inf1) to 4 (Trn3)
 * @param deviceArchitecture the device's {@code arch_type}; {@code NDv3} for both Inf2 and Trn2
 * @param coreArchitecture a core's {@code arch_type}
 * @param deviceName what {@code device_name} prints
 * @param coresPerDevice physical cores of one device
 * @param logicalCoreSize how many physical cores the runtime takes for one unless it is told otherwise; where this is 1 it
 *     cannot be told
 * @param numberings the orders in which the runtime counts cores, of one platform the oldest first; none where that is their own
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HardwareFamily(
        String name,
        int architecture,
        String deviceArchitecture,
        String coreArchitecture,
        String deviceName,
        int coresPerDevice,
        int logicalCoreSize,
        List<Numbering> numberings) {

    /**
     * How cores are counted on a platform, empty where position and number of a core are the same.
     *
     * @param platform where the chips are
     * @param release of the driver
     * @return the newest up to that release
     */
    public Optional<Numbering> numbering(Platform platform, DriverRelease release) {
        return numberings.stream()
                .filter(numbering -> numbering.platform() == platform && release.atLeast(numbering.since()))
                .reduce((older, newer) -> newer);
    }
}
