package dev.neurontest.fake.internal.driver;

import org.apiguardian.api.API;

/** A file with pollers that the driver wakes ({@code sysfs_notify}). */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface NotifiedFile {

    /** The file of a counter field, even if the layout does not show it. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    record OfCounter(Counter counter, Field field) implements NotifiedFile {}

    /**
     * A plain attribute.
     *
     * @param device the device of the attribute, also for an attribute of a core
     * @param path below {@code neuronN}
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    record OfAttribute(Device device, String path) implements NotifiedFile {}
}
