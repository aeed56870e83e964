package dev.neurontest.fake.internal.files;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What a path leads to, without following a link at its end.
 *
 * @param type file, directory or link
 * @param mode permission bits, such as {@code 0644}
 * @param size 4096 for every attribute whatever its content, as in sysfs; 0 for directories and devices
 * @param linkTarget where a link points to, null for anything else
 * @param device the number of the device to whose node it stands, as its attribute {@code dev} has it, such as {@code 512:3}; null
 *     for anything else
 * @param generation how often the device that it belongs to went away: a directory that came back is another one; 0 for what
 *     belongs to no device
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record FakeEntry(
        Type type,
        int mode,
        long size,
        @Nullable String linkTarget,
        @Nullable String device,
        int generation) {

    /** What there is at a path. */
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
