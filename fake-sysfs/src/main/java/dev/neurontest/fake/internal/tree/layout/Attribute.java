package dev.neurontest.fake.internal.tree.layout;

import org.apiguardian.api.API;

/**
 * An attribute of a device or a core in a layout. A counter is one attribute, although it has two or three files.
 *
 * @param path path below {@code neuronN} or, for an attribute of a core, below {@code neuron_coreK}; for a layout that moves it,
 *     the original path
 * @param ofCore whether it belongs to a core, not to the device
 * @param kind kind of its files
 * @param mode permission bits of its files
 * @param firstArchitecture the first architecture version that has it, 1 for all
 * @param driverName name of the last path element in the driver since 2.8.4.0
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Attribute(String path, boolean ofCore, Kind kind, int mode, int firstArchitecture, String driverName) {

    /** The kinds of files of an attribute. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Kind {
        /** One plain file. */
        PLAIN,
        /** A directory with {@code total} and {@code present}. */
        COUNTER,
        /** A directory with {@code total}, {@code present} and {@code peak}. */
        MEMORY_COUNTER
    }

    /**
     * Returns the last name of the path: the directory of a counter, or the file of a plain attribute.
     *
     * @return a name such as {@code timeout}
     */
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
