package dev.neurontest.internal.terminal;

import java.util.Locale;
import org.apiguardian.api.API;

/** What {@code --color} says. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum ColorChoice {
    /** Colours where they are seen. */
    AUTO,
    /** Colours also in a file or a pipe. */
    ALWAYS,
    /** No colours. */
    NEVER;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
