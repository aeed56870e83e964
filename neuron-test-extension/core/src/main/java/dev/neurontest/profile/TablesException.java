package dev.neurontest.profile;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Thrown when tables cannot be read or cannot answer a query. The message contains the source, the problem and a remedy. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class TablesException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** The kind of problem. */
    private final Kind kind;

    /** The kinds of problems, by the part that must be corrected. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Kind {
        /** DuckDB that is missing or does not run on this platform. */
        NO_READER,
        /** A missing folder, a folder without tables, or a missing table. */
        NO_TABLE,
        /** A truncated or invalid table. */
        BROKEN,
        /** A query with a mistake or with an unknown column. */
        QUERY,
        /** A query that is not exactly one SELECT over these tables. */
        REFUSED,
        /** A query that exceeds its time or memory limit. */
        LIMIT
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public TablesException(Kind kind, String message, @Nullable Throwable cause) {
        super(VisibleText.of(message), cause);
        this.kind = kind;
    }

    /**
     * Returns the kind of problem.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }
}
