package dev.neurontest.fake.internal.driver.instance;

import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What an EC2 instance type has in it.
 *
 * @param name the EC2 name, which is also the DMI product name
 * @param family the generation of its devices
 * @param devices how many devices
 * @param connectedDevices the neighbours of each device, in the order in which the driver prints them
 * @param special the platform that the driver takes it for, null where that is a standard one in every release
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record InstanceType(
        String name,
        HardwareFamily family,
        int devices,
        List<List<Integer>> connectedDevices,
        @Nullable Special special) {

    /**
     * A platform that is no standard one, and which releases of the driver know it.
     *
     * @param platform the platform
     * @param since the first release
     * @param before the first release that knows it no more, null when there is none
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Special(
            Platform platform,
            DriverRelease since,
            @Nullable DriverRelease before) {

        boolean in(DriverRelease release) {
            return release.atLeast(since) && (before == null || !release.atLeast(before));
        }
    }

    /**
     * What a release of the driver takes it for.
     *
     * @param release of the driver
     * @return the platform
     */
    public Platform platform(DriverRelease release) {
        return special != null && special.in(release) ? special.platform() : Platform.STANDARD;
    }

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
     * @throws IllegalArgumentException when there is none; the message has near names
     */
    public static InstanceType named(String name) {
        return all().stream()
                .filter(type -> type.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no instance type \"" + name + "\"; "
                        + NearNames.question(
                                name, all().stream().map(InstanceType::name).toList())));
    }
}
