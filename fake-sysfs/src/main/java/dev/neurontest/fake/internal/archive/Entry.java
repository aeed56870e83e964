package dev.neurontest.fake.internal.archive;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The recorded state of one name in a directory. */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface Entry {

    /**
     * Returns the permission bits.
     *
     * @return the low 12 bits of {@code st_mode}; those of a link if the entry has no mode
     */
    default int mode() {
        return 0777;
    }

    /**
     * A file that could be read.
     *
     * @param mode the low 12 bits of {@code st_mode}
     * @param content each character is one byte
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    record Content(int mode, String content) implements Entry {}

    /**
     * A file that could not be read.
     *
     * @param mode the low 12 bits of {@code st_mode}
     * @param reason the name of an error, {@code timeout}, {@code too-large} or {@code unknown}
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    record Unreadable(int mode, String reason) implements Entry {}

    /**
     * A character device. Its content is never read.
     *
     * @param mode the low 12 bits of {@code st_mode}
     * @param number major and minor, such as {@code 243:2}; null if the minor is the number in its name
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    record Device(int mode, @Nullable String number) implements Entry {}

    /**
     * A symbolic link.
     *
     * @param target the result of {@code readlink}
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    record Link(String target) implements Entry {}

    /** The absence of a name, in a timeline only. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    record Gone() implements Entry {}
}
