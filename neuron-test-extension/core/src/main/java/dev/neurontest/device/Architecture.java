package dev.neurontest.device;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The architecture of a device, with the driver's names and the hardware family.
 *
 * @param family the hardware generation
 * @param device the device's {@code info/architecture/arch_type}, such as {@code NDv3}; empty when the host has none
 * @param core its cores' {@code info/architecture/arch_type}, such as {@code NCv2}; empty when the host has none
 * @param name {@code info/architecture/device_name}, such as {@code Inferentia2}; empty when the host has none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Architecture(Family family, Optional<String> device, Optional<String> core, Optional<String> name) {}
