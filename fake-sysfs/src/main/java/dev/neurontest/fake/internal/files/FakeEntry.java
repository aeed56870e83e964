package dev.neurontest.fake.internal.files;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The type and attributes of a path. A link at its end is not followed.
 *
 * @param type file, directory or link
 * @param mode permission bits, such as {@code 0644}
 * @param size 4096 for every attribute regardless of its content, as in sysfs; 0 for directories and devices
 * @param linkTarget the target of a link, null for other types
 * @param device the device number of a node, as in the attribute {@code dev} of the device, such as {@code 512:3}; null
 *     for other types
 * @param generation how often the device of the entry was removed, because a directory that comes back is a new one; 0 for an entry
 *     without a device
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record FakeEntry(
        Type type,
        int mode,
        long size,
        @Nullable String linkTarget,
        @Nullable String device,
        int generation) {

    /** The type of an entry. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Type {
        /** A file, or the node of a device under {@code dev/}. */
        FILE,
        /** A directory. */
        DIRECTORY,
        /** A symbolic link. */
        LINK
    }
}
