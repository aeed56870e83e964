package dev.neurontest.profile;

import dev.neurontest.internal.text.VisibleText;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Events of a profile that could not be read to their end: what was read until then is not lost. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProfileEventsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient @Nullable ProfileEvents partial;

    /**
     * Creates one of which nothing was read.
     *
     * @param message what was read, what is wrong, and what to do
     * @param cause of it
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public ProfileEventsException(String message, @Nullable Throwable cause) {
        this(message, null, cause);
    }

    private ProfileEventsException(String message, @Nullable ProfileEvents partial, @Nullable Throwable cause) {
        super(VisibleText.of(message), cause);
        this.partial = partial;
    }

    /** The content is no JSON, or not the JSON of a profile. */
    static ProfileEventsException malformed(
            long byteOffset,
            long records,
            String found,
            String expected,
            ProfileEvents partial,
            @Nullable Exception cause) {
        return new ProfileEventsException(
                String.format(
                        Locale.ROOT,
                        "%s is readable only until byte %,d: %s. Expected %s. The %,d records before it are in partial(). Look whether the profiler's view was killed or its disk full, and view the profile again with --output-format json.",
                        partial.path(),
                        byteOffset,
                        found,
                        expected,
                        records),
                partial,
                cause);
    }

    /** The file system does not give the content. */
    static ProfileEventsException unreadable(String expected, ProfileEvents partial, Exception cause) {
        String kind = cause.getClass().getSimpleName();
        return new ProfileEventsException(
                "%s could not be read: %s. Expected %s. Give the file that the profiler's view wrote with --output-format json (ntff.json when no --output-file was given)."
                        .formatted(
                                partial.path(),
                                cause.getMessage() == null ? kind : kind + " " + cause.getMessage(),
                                expected),
                partial,
                cause);
    }

    /**
     * Returns what a file said before the fault: true of the records that were read, and of nothing else.
     *
     * @return empty when nothing was read
     */
    public Optional<ProfileEvents> partial() {
        return Optional.ofNullable(partial);
    }
}
