package dev.neurontest.fake.internal.driver;

import dev.neurontest.fake.internal.driver.instance.NearNames;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/** What host memory is used for. The category is counted on the device, the sum on the core. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum HostCategory {
    /** Buffers for transfers. */
    DMA_BUFFERS,
    /** Tensors kept in host memory. */
    TENSORS,
    /** Weights kept in host memory. */
    CONSTANTS,
    /** The application's needs. */
    APPLICATION_MEMORY,
    /** The driver's own needs. */
    DRIVER_MEMORY,
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
    public static HostCategory named(String categoryName) {
        return NearNames.named("category of host memory", categoryName, List.of(values()));
    }

    /** The name of its directory, such as {@code tensors}. */
    @Override
    public String toString() {
        return text;
    }
}
