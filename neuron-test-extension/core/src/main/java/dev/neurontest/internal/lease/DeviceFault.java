package dev.neurontest.internal.lease;

import org.apiguardian.api.API;

/**
 * The reason why no test may begin on a device.
 *
 * @param until the condition that ends the quarantine of its cores
 * @param reason a text for the user
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DeviceFault(Quarantine.Until until, String reason) {}
