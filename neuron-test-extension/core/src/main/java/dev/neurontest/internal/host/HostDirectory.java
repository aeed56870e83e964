package dev.neurontest.internal.host;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** An open directory of a host, for a search below it by one thread. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface HostDirectory extends AutoCloseable {

    /**
     * Lists the names, in no particular order.
     *
     * @throws IOException when they cannot be listed
     */
    List<String> names() throws IOException;

    /**
     * Returns the kind of an entry, without following a link.
     *
     * @param name one of the names
     * @return the kind; empty for a missing entry, or if the kind cannot be determined
     */
    Optional<EntryKind> kind(String name);

    /**
     * Opens a directory in this one. Its kind must be known, because opening a pipe waits for a writer.
     *
     * @param name one of the names
     * @throws IOException when it is gone or not readable, or when it has become a link
     */
    HostDirectory open(String name) throws IOException;

    @Override
    void close();
}
