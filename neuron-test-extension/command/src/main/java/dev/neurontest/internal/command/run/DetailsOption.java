package dev.neurontest.internal.command.run;

import java.util.Locale;
import org.apiguardian.api.API;

/** The choice of the tests with a separate line in the output. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum DetailsOption {
    /** Failed tests. The other tests are counted, and each reason for a skip is printed once. */
    FAILURES,
    /** All tests. */
    ALL;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
