package dev.neurontest.fake.internal.driver.instance;

import org.apiguardian.api.API;

/** The platform that the driver detects for a host ({@code narch_detect_platform_type}). */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Platform {
    /** A standalone host. */
    STANDARD,
    /** One server of an UltraServer. These servers elect their numbers. */
    ULTRASERVER,
    /** One server of a reservation. */
    PDS,
    /** One server of a reservation in a smaller size. */
    MAX
}
