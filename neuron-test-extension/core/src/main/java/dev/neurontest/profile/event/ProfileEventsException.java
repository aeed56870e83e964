package dev.neurontest.profile.event;

import dev.neurontest.profile.table.TablesException;
import dev.neurontest.text.VisibleText;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A full json that could not be read to its end: what was read until then is not lost. Or tables that could not be read. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProfileEventsException extends RuntimeException {

    private static final long serialVersionUID = 1;
    private static final long NOWHERE = -1;

    /** Where it is. */
    private final String file;

    /** Where it ended, or {@link #NOWHERE}. */
    private final long byteOffset;

    /** How many records were complete. */
    private final long completeRecords;

    /** What should have been there. */
    private final String expected;

    private final transient ProfileEvents partial;

    private ProfileEventsException(
            String message,
            long byteOffset,
            long completeRecords,
            String expected,
            ProfileEvents partial,
            @Nullable Exception cause) {
        super(VisibleText.of(message), cause);
        this.file = partial.file().toString();
        this.byteOffset = byteOffset;
        this.completeRecords = completeRecords;
        this.expected = expected;
        this.partial = partial;
    }

    /** The content is no JSON, or not the JSON of a profile. */
    static ProfileEventsException malformed(
            long byteOffset,
            long completeRecords,
            String found,
            String expected,
            ProfileEvents partial,
            @Nullable Exception cause) {
        return new ProfileEventsException(
                String.format(
                        Locale.ROOT,
                        "%s is readable only until byte %,d: %s. Expected %s. The %,d records before it are in partial(). %s",
                        partial.file(),
                        byteOffset,
                        found,
                        expected,
                        completeRecords,
                        "Look whether the profiler's view was killed or its disk full, and view the profile again with --output-format json."),
                byteOffset,
                completeRecords,
                expected,
                partial,
                cause);
    }

    /** The file system does not give the content. */
    static ProfileEventsException unreadable(
            long completeRecords, String expected, ProfileEvents partial, @Nullable Exception cause) {
        return new ProfileEventsException(
                "%s could not be read: %s. Expected %s. Give the file that the profiler's view wrote with --output-format json (ntff.json when no --output-file was given)."
                        .formatted(partial.file(), reason(cause), expected),
                NOWHERE,
                completeRecords,
                expected,
                partial,
                cause);
    }

    /** A profile whose tables cannot be read: nothing of them is known then. */
    static ProfileEventsException unreadable(TablesException cause, ProfileEvents partial) {
        return new ProfileEventsException(
                String.valueOf(cause.getMessage()),
                NOWHERE,
                0,
                "the tables of one profile, as its view writes them with --output-format parquet --ingest-only",
                partial,
                cause);
    }

    private static String reason(Exception cause) {
        String kind = cause.getClass().getSimpleName();
        return cause.getMessage() == null ? kind : kind + " " + cause.getMessage();
    }

    /**
     * The file, or the folder of the tables.
     *
     * @return as it was given
     */
    public Path path() {
        return Path.of(file);
    }

    /**
     * Where reading ended.
     *
     * @return bytes from the begin of the file, near the fault; empty when it could not be read at all, and for tables
     */
    public OptionalLong byteOffset() {
        return byteOffset == NOWHERE ? OptionalLong.empty() : OptionalLong.of(byteOffset);
    }

    /**
     * How many instructions and DMA transfers of a file were complete before the fault.
     *
     * @return 0 or more; 0 for tables
     */
    public long completeRecords() {
        return completeRecords;
    }

    /**
     * What should have been there.
     *
     * @return in words
     */
    public String expected() {
        return expected;
    }

    /**
     * What a file said before the fault: true of the records that were read, and of nothing else.
     *
     * @return empty when nothing could be read
     */
    public ProfileEvents partial() {
        return partial;
    }
}
