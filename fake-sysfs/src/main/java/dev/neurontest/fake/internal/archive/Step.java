package dev.neurontest.fake.internal.archive;

import java.util.Map;
import org.apiguardian.api.API;

/** One statement of an archive's timeline. */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface Step {

    /**
     * Entries that are new or not what they were.
     *
     * @param path their directory, relative to the root of the host
     * @param mode of the directory
     * @param entries by name, in the order of the file
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    record Changed(String path, int mode, Map<String, Entry> entries) implements Step {}

    /**
     * A directory is gone with everything in it.
     *
     * @param path relative to the root of the host
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    record Gone(String path) implements Step {}

    /**
     * A name for the moment at which everything above it has happened, and nothing below it.
     *
     * @param words used once in an archive
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    record Mark(String words) implements Step {}
}
