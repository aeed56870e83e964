package dev.neurontest.fake.internal.driver;

import java.util.Locale;
import org.apiguardian.api.API;

/** One of the three numbers of a counter, each in a separate file. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Field {
    /** The running sum; for memory the bytes that are in use now. */
    TOTAL,
    /** The size of the last change, up or down. */
    PRESENT,
    /** The highest total since it was last written. */
    PEAK;

    /** Returns the name of the file, such as {@code total}. */
    public String fileName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
