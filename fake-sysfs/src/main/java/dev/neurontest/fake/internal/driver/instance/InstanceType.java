package dev.neurontest.fake.internal.driver.instance;

import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The hardware of an EC2 instance type.
 *
 * @param name the EC2 name, which is also the DMI product name
 * @param family the generation of its devices
 * @param devices the number of devices
 * @param connectedDevices the neighbors of each device, in the order in which the driver prints them
 * @param slots the place of each device in the machine
 * @param special the platform that the driver detects, null if it is the standard platform in every release
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record InstanceType(
        String name,
        HardwareFamily family,
        int devices,
        List<List<Integer>> connectedDevices,
        List<PciSlot> slots,
        @Nullable Special special) {

    /**
     * A platform other than the standard one, with the driver releases that support it.
     *
     * @param platform the platform
     * @param drivers the releases
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Special(Platform platform, DriverRange drivers) {}

    /** Returns the platform that a release of the driver detects. */
    public Platform platform(DriverRelease release) {
        return special != null && special.drivers().contains(release) ? special.platform() : Platform.STANDARD;
    }

    /**
     * Returns the instance types that a fake host can have.
     *
     * @return in the order of the hardware table, oldest family first
     */
    public static List<InstanceType> all() {
        return InstanceTable.TYPES;
    }

    /**
     * Finds an instance type by its EC2 name.
     *
     * @throws IllegalArgumentException when there is none; the message contains similar names
     */
    public static InstanceType named(String name) {
        for (InstanceType type : all()) {
            if (type.name().equals(name)) {
                return type;
            }
        }
        throw new IllegalArgumentException("no instance type \"" + name + "\"; "
                + NearNames.question(
                        name, all().stream().map(InstanceType::name).toList()));
    }
}
