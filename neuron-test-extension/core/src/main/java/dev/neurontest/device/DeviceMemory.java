package dev.neurontest.device;

import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * Memory of a device, in bytes. An idle device does not show 0: the driver itself allocates.
 *
 * @param capacity size of the device's memory by the driver's hardware table, since sysfs does not show it; empty for unknown
 *     hardware
 * @param device what is allocated on the device: the sum of {@code device_mem/total} over its cores; empty where a core has none
 * @param host what is allocated on the host for the device: the sum of {@code host_mem/total} over its cores; empty where a core
 *     has none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DeviceMemory(OptionalLong capacity, OptionalLong device, OptionalLong host) {}
