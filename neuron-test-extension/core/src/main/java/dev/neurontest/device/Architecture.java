package dev.neurontest.device;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What kind of device it is, in the driver's words and in ours.
 *
 * @param family the generation
 * @param device the device's {@code info/architecture/arch_type}, such as {@code NDv3}; empty when the host has none
 * @param core its cores' {@code info/architecture/arch_type}, such as {@code NCv2}; empty when the host has none
 * @param name {@code info/architecture/device_name}, such as {@code Inferentia2}; empty when the host has none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Architecture(Family family, Optional<String> device, Optional<String> core, Optional<String> name) {}
