package dev.neurontest.fake.internal.archive;

import java.util.Map;
import org.apiguardian.api.API;

/** One statement of an archive's timeline. */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface Step {

    /**
     * New or changed entries of a directory.
     *
     * @param path their directory, relative to the root of the host
     * @param mode the mode of the directory
     * @param entries by name, in the order of the file
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    record Changed(String path, int mode, Map<String, Entry> entries) implements Step {}

    /**
     * The removal of a directory with everything in it.
     *
     * @param path relative to the root of the host
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    record Gone(String path) implements Step {}

    /**
     * A name for a moment. All steps above it in the text have happened then, and no step below it.
     *
     * @param words the name, unique in an archive
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    record Mark(String words) implements Step {}
}
