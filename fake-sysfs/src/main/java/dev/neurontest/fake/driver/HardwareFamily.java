package dev.neurontest.fake.driver;

import java.util.List;
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
 * @param coreOrder for each device its cores in the order in which the runtime counts them; empty where that is their own
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
        List<List<Integer>> coreOrder) {

    /** The number in its device of the core that the runtime counts there at a position. */
    int physicalCore(int device, int position) {
        return coreOrder.isEmpty() ? position : coreOrder.get(device).get(position);
    }
}
