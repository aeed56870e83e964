package dev.neurontest.internal.command.run;

import java.util.Locale;
import org.apiguardian.api.API;

/** Which tests have a line of their own. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum DetailsOption {
    /** Those that failed; the others are counted, and reasons to skip said once. */
    FAILURES,
    /** All of them. */
    ALL;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
