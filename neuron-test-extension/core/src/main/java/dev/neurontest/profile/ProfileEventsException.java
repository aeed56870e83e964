package dev.neurontest.profile;

import dev.neurontest.internal.text.VisibleText;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Thrown when the events of a profile cannot be read to their end. The exception contains the events read before the fault. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProfileEventsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient @Nullable ProfileEvents partial;

    /**
     * Creates an exception without any events.
     *
     * @param message the source, the problem and a remedy
     * @param cause the cause
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public ProfileEventsException(String message, @Nullable Throwable cause) {
        this(message, null, cause);
    }

    private ProfileEventsException(String message, @Nullable ProfileEvents partial, @Nullable Throwable cause) {
        super(VisibleText.of(message), cause);
        this.partial = partial;
    }

    /** Creates an exception for content that is not JSON, or not the JSON of a profile. */
    static ProfileEventsException malformed(
            long byteOffset,
            long records,
            String actual,
            String expected,
            ProfileEvents partial,
            @Nullable Exception cause) {
        return new ProfileEventsException(
                String.format(
                        Locale.ROOT,
                        "%s is readable only until byte %,d: %s. Expected %s. The %,d records before it are in partial(). Check whether the profiler's view was killed or its disk full, and view the profile again with --output-format json.",
                        partial.path(),
                        byteOffset,
                        actual,
                        expected,
                        records),
                partial,
                cause);
    }

    /** Creates an exception for a file that the file system cannot read. */
    static ProfileEventsException unreadable(String expected, ProfileEvents partial, Exception cause) {
        String kind = cause.getClass().getSimpleName();
        return new ProfileEventsException(
                "%s could not be read: %s. Expected %s. Use the file that the profiler's view wrote with --output-format json (ntff.json when no --output-file was given)."
                        .formatted(
                                partial.path(),
                                cause.getMessage() == null ? kind : kind + " " + cause.getMessage(),
                                expected),
                partial,
                cause);
    }

    /**
     * Returns the events before the fault. They describe only the records that were read.
     *
     * @return empty when nothing was read
     */
    public Optional<ProfileEvents> partial() {
        return Optional.ofNullable(partial);
    }
}
