package dev.neurontest.fake.internal.driver;

import java.util.Locale;
import org.apiguardian.api.API;

/** One of the three numbers of a counter, each a file of its own. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Field {
    /** The running sum; for memory what is in use now. */
    TOTAL,
    /** The size of the last change, up or down. */
    PRESENT,
    /** The highest total since it was last written. */
    PEAK;

    /**
     * The name of its file.
     *
     * @return such as {@code total}
     */
    public String fileName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
