package dev.neurontest.internal.host;

import org.apiguardian.api.API;

/** What there is at a path of a host, without following a link at its end. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum EntryKind {
    /** A file that can be read from its beginning to its end. */
    FILE,
    /** A directory. */
    DIRECTORY,
    /** A symbolic link, wherever it leads. */
    LINK,
    /** A device, a socket, a pipe: reading it may wait for ever, or do something. */
    OTHER
}
