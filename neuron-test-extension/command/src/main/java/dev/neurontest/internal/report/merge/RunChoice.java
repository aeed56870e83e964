package dev.neurontest.internal.report.merge;

import java.util.Locale;
import org.apiguardian.api.API;

/** A choice among several runs of one folder. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum RunChoice {
    /** The newest where it has run all tests of the older ones; else all, which is a problem. */
    ONE,
    /** The newest. */
    NEWEST,
    /** All together. */
    ALL;

    /** Returns how a user writes it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
