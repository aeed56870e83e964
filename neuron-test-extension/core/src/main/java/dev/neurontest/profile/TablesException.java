package dev.neurontest.profile;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Tables that cannot be read, or a query that they cannot answer. The message says what was read, what is wrong, and what to do. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class TablesException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** What is wrong. */
    private final Kind kind;

    /** Who has to do something about it. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Kind {
        /** DuckDB is not there, or does not run on this platform. */
        NO_READER,
        /** There is no folder, or no table in it, or not that table. */
        NO_TABLE,
        /** A table is cut short, or not what it should be. */
        BROKEN,
        /** The query has a mistake, or names a column that the tables do not have. */
        QUERY,
        /** The query is something else than one SELECT over these tables. */
        REFUSED,
        /** The query needs more time or memory than it is given. */
        LIMIT
    }

    @API(status = API.Status.INTERNAL)
    public TablesException(Kind kind, String message, @Nullable Throwable cause) {
        super(VisibleText.of(message), cause);
        this.kind = kind;
    }

    /**
     * What is wrong.
     *
     * @return its kind
     */
    public Kind kind() {
        return kind;
    }
}
