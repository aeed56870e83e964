package dev.neurontest.fake.internal.driver;

import dev.neurontest.fake.internal.driver.instance.NearNames;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/** The purpose of host memory. The category is counted on the device, the sum on the core. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum HostCategory {
    /** Buffers for transfers. */
    DMA_BUFFERS,
    /** Tensors kept in host memory. */
    TENSORS,
    /** Weights kept in host memory. */
    CONSTANTS,
    /** Memory of the application. */
    APPLICATION_MEMORY,
    /** Memory of the driver. */
    DRIVER_MEMORY,
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
    public static HostCategory named(String categoryName) {
        return NearNames.named("category of host memory", categoryName, List.of(values()));
    }

    /** Returns the name of the directory, such as {@code tensors}. */
    @Override
    public String toString() {
        return text;
    }
}
