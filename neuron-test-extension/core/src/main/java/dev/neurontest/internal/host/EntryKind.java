package dev.neurontest.internal.host;

import java.nio.file.attribute.BasicFileAttributes;
import org.apiguardian.api.API;

/** The kind of an entry at a path of a host. A link at the end of the path is not followed. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum EntryKind {
    /** A file that can be read completely. */
    FILE,
    /** A directory. */
    DIRECTORY,
    /** A symbolic link with any target. */
    LINK,
    /** A device, a socket or a pipe. Reading it may block forever or have side effects. */
    OTHER;

    /** Returns the kind of an entry with the given attributes, which are not those of a link's target. */
    static EntryKind of(BasicFileAttributes attributes) {
        if (attributes.isSymbolicLink()) {
            return LINK;
        }
        if (attributes.isDirectory()) {
            return DIRECTORY;
        }
        return attributes.isRegularFile() ? FILE : OTHER;
    }
}
