package dev.neurontest.fake.internal.driver;

import dev.neurontest.fake.internal.driver.instance.NearNames;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/** The purpose of device memory. It is counted on the core. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum DeviceCategory {
    /** Programs of loaded models. */
    MODEL_CODE,
    /** Inputs, outputs and other tensors. */
    TENSORS,
    /** Weights. */
    CONSTANTS,
    /** Scratchpads shared by models. */
    MODEL_SHARED_SCRATCHPAD,
    /** Memory of the runtime. */
    RUNTIME_MEMORY,
    /** Memory of the driver. */
    DRIVER_MEMORY,
    /** Collective communication. */
    COLLECTIVES,
    /** Scratchpads of one model. */
    NONSHARED_SCRATCHPAD,
    /** Notification queues. */
    NOTIFICATIONS,
    /** Descriptor rings. */
    DMA_RINGS,
    /** Memory without a category from the runtime. */
    UNCATEGORIZED;

    private final String text = name().toLowerCase(Locale.ROOT);

    /**
     * Finds a category by the name of its directory.
     *
     * @throws IllegalArgumentException when there is none; the message lists all categories
     */
    public static DeviceCategory named(String categoryName) {
        return NearNames.named("category of device memory", categoryName, List.of(values()));
    }

    /** Returns the name of the directory, such as {@code tensors}. */
    @Override
    public String toString() {
        return text;
    }
}
