package dev.neurontest.fake.internal.driver;

import org.apiguardian.api.API;

/** A file whose pollers the driver wakes ({@code sysfs_notify}). */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface NotifiedFile {

    /**
     * The file of a counter's field, whether or not the layout shows it.
     *
     * @param counter the counter
     * @param field the field
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    record OfCounter(Counter counter, Field field) implements NotifiedFile {}

    /**
     * A plain attribute.
     *
     * @param device the device that has it, or whose core has it
     * @param path below {@code neuronN}
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    record OfAttribute(Device device, String path) implements NotifiedFile {}
}
