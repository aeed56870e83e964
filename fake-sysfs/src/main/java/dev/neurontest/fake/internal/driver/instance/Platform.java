package dev.neurontest.fake.internal.driver.instance;

import org.apiguardian.api.API;

/** What the driver takes a host for ({@code narch_detect_platform_type}). */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Platform {
    /** A host by itself. */
    STANDARD,
    /** One server of an UltraServer, which elect their numbers. */
    ULTRASERVER,
    /** One server of a reservation. */
    PDS,
    /** The same in a smaller size. */
    MAX
}
