package dev.neurontest.internal.report.merge;

import java.util.Locale;
import org.apiguardian.api.API;

/** A choice among several runs in one folder. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum RunChoice {
    /** The newest run, if it ran all tests of the older ones; otherwise all runs, which is a problem. */
    ONE,
    /** The newest run. */
    NEWEST,
    /** All runs together. */
    ALL;

    /** Returns the text of the option. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
