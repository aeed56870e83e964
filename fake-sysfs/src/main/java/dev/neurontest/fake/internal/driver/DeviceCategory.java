package dev.neurontest.fake.internal.driver;

import dev.neurontest.fake.internal.driver.instance.NearNames;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/** What device memory is used for. It is counted on the core. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum DeviceCategory {
    /** Programs of loaded models. */
    MODEL_CODE,
    /** Inputs, outputs and other tensors. */
    TENSORS,
    /** Weights. */
    CONSTANTS,
    /** Scratchpads that models share. */
    MODEL_SHARED_SCRATCHPAD,
    /** The runtime's own needs. */
    RUNTIME_MEMORY,
    /** The driver's own needs. */
    DRIVER_MEMORY,
    /** Collective communication. */
    COLLECTIVES,
    /** Scratchpads of one model. */
    NONSHARED_SCRATCHPAD,
    /** Notification queues. */
    NOTIFICATIONS,
    /** Descriptor rings. */
    DMA_RINGS,
    /** Whatever the runtime does not name. */
    UNCATEGORIZED;

    private final String text = name().toLowerCase(Locale.ROOT);

    /**
     * Looks a category up.
     *
     * @param categoryName the name of its directory
     * @return the category of that name
     * @throws IllegalArgumentException when there is none; the message lists those that are there
     */
    public static DeviceCategory named(String categoryName) {
        return NearNames.named("category of device memory", categoryName, List.of(values()));
    }

    /** The name of its directory, such as {@code tensors}. */
    @Override
    public String toString() {
        return text;
    }
}
