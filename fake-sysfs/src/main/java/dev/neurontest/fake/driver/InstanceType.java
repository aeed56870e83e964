package dev.neurontest.fake.driver;

import java.util.List;
import org.apiguardian.api.API;

/**
 * What an EC2 instance type has in it.
 *
 * @param name the EC2 name, which is also the DMI product name
 * @param family the generation of its devices
 * @param devices how many devices
 * @param connectedDevices the neighbours of each device, in the order in which the driver prints them
 * @param ultraServer whether the driver takes it for one server of an UltraServer
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record InstanceType(
        String name, HardwareFamily family, int devices, List<List<Integer>> connectedDevices, boolean ultraServer) {

    /**
     * Every instance type that a fake host can be.
     *
     * @return in the order of the hardware table, oldest family first
     */
    public static List<InstanceType> all() {
        return InstanceTable.TYPES;
    }

    /**
     * Looks an instance type up.
     *
     * @param name an EC2 name
     * @return the instance type of that name
     * @throws IllegalArgumentException when there is none; the message lists those that are there
     */
    public static InstanceType named(String name) {
        return all().stream()
                .filter(type -> type.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no instance type \"" + name + "\"; there are: "
                        + String.join(
                                ", ", all().stream().map(InstanceType::name).toList())));
    }
}
