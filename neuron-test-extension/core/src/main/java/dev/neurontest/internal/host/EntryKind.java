package dev.neurontest.internal.host;

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
    OTHER
}
