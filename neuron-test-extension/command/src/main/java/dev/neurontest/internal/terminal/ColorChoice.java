package dev.neurontest.internal.terminal;

import java.util.Locale;
import org.apiguardian.api.API;

/** The value of {@code --color}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum ColorChoice {
    /** Colors on a terminal that supports them. */
    AUTO,
    /** Colors also in a file or a pipe. */
    ALWAYS,
    /** No colors. */
    NEVER;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
